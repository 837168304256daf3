// Points of every model in multi-component half-spaces.
#include <cmath>
#include <string>

#include "mctensor/embed/embedding.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/point.hpp"

namespace mct::embed {
namespace {

using geometry::Point;

/// The coordinates of one factor.
class FactorReader {
 public:
  FactorReader(const Tensor<double>& all, int first, int columns)
      : data_(all.data() + first),
        rows_(all.size(1)),
        width_(all.size(2)),
        components_(int(all.size(0))),
        columns_(columns) {}

  std::int64_t rows() const { return rows_; }
  int columns() const { return columns_; }
  bool is_finite(std::int64_t row) const {
    for (int k = 0; k < components_; ++k)
      for (int column = 0; column < columns_; ++column)
        if (!std::isfinite(component(row, column, k))) return false;
    return true;
  }
  double component(std::int64_t row, int column, int k) const {
    return k < components_ ? data_[(k * rows_ + row) * width_ + column] : 0;
  }
  template <int N>
  Expansion<double, N> number(std::int64_t row, int column) const {
    Expansion<double, N> sum(0.0);
    for (int k = components_ - 1; k >= 0; --k) sum = sum + component(row, column, k);
    return sum;
  }

 private:
  const double* data_;
  std::int64_t rows_, width_;
  int components_, columns_;
};

/// Planes of points, components for the horizontal coordinates and one for the height.
class PlaneWriter {
 public:
  PlaneWriter(int components, std::int64_t rows, int n) : out_({components, rows, n}) {}

  template <int N, int n>
  void set(std::int64_t row, const Point<Expansion<double, N>, n>& x) {
    for (int i = 0; i < x.size(); ++i)
      for (int k = 0; k < (i + 1 == x.size() ? 1 : N); ++k) at(k, row, i) = x[i].limb[k];
  }
  double& at(int k, std::int64_t row, int column) {
    return out_.data()[(k * out_.size(1) + row) * out_.size(2) + column];
  }
  const Tensor<double>& result() const { return out_; }

 private:
  Tensor<double> out_;
};

/// The points of a half-space as they are; heights of several components by their leading one.
Tensor<double> copied(const FactorReader& in, int components) {
  PlaneWriter out(components, in.rows(), in.columns());
  for (int k = 0; k < components; ++k)
    for (std::int64_t row = 0; row < in.rows(); ++row)
      for (int i = 0; i < in.columns(); ++i)
        out.at(k, row, i) = k == 0 || i + 1 < in.columns() ? in.component(row, i, k) : 0;
  return out.result();
}

/// Points of a model in numbers of N components.
template <template <class> class M, int N>
Tensor<double> converted(const FactorReader& in, double radius) {
  using V = Expansion<double, N>;
  const M<V> model{V(radius)};
  const int n = in.columns() - decltype(model.formulas())::least_coordinates + 1;
  PlaneWriter out(N, in.rows(), n);
  for (std::int64_t row = 0; row < in.rows(); ++row) {
    Point<V> x(in.columns());
    for (int i = 0; i < in.columns(); ++i) x[i] = in.number<N>(row, i);
    out.set(row, geometry::convert<geometry::HalfSpace>(model, x));
  }
  return out.result();
}

/// 2^j (z + (k, 0)), exactly.
template <int N>
Tensor<double> of_cubes(const FactorReader& in) {
  using V = Expansion<double, N>;
  const int n = in.columns() / 2;
  PlaneWriter out(N, in.rows(), n);
  for (std::int64_t row = 0; row < in.rows(); ++row) {
    // beyond all doubles there are no points, but infinite numbers
    constexpr int beyond = 4096;
    const double j = in.component(row, 0, 0);
    const int level = std::fabs(j) < beyond ? int(j) : beyond;
    Point<V> x(n);
    for (int i = 0; i < n; ++i) {
      V z = in.number<N>(row, n + i);
      if (i + 1 < n) z = in.number<N>(row, 1 + i) + z;
      x[i] = ldexp(z, level);
    }
    out.set(row, x);
  }
  return out.result();
}

/// L Z L^-1 h(u), with one component more than u has, as the way up to the hyperboloid needs.
template <int N>
Tensor<double> of_tiles(const FactorReader& in) {
  using V = Expansion<double, N>;
  const geometry::Lorentz<V> lorentz(V(1));
  const V root = sqrt(V(3));
  PlaneWriter out(N, in.rows(), 2);
  for (std::int64_t row = 0; row < in.rows(); ++row) {
    const V u = in.number<N>(row, 9);
    const V v = in.number<N>(row, 10);
    const V from[3] = {sqrt(V(1) + u * u + v * v) / root, u, v};
    Point<V> X(3);
    for (int i = 0; i < 3; ++i) {
      V sum(0);
      for (int j = 0; j < 3; ++j) sum = sum + in.number<N>(row, 3 * i + j) * from[j];
      X[i] = i == 0 ? V(root * sum) : sum;
    }
    out.set(row, geometry::convert<geometry::HalfSpace>(lorentz, X));
  }
  return out.result();
}

/// f of the number of components and one more, as a constant.
template <class F>
Tensor<double> with_one_more(int components, const F& f) {
  switch (components) {
    case 1:
      return f(std::integral_constant<int, 2>());
    case 2:
      return f(std::integral_constant<int, 3>());
    default:
      return f(std::integral_constant<int, 4>());
  }
}

Tensor<double> factor_of(const EmbeddingSpace& space, const FactorReader& in) {
  switch (space.storage) {
    case PointStorage::ball:
      return with_one_more(space.components, [&](auto n) {
        return converted<geometry::PoincareBall, n()>(in, space.radius);
      });
    case PointStorage::lorentz:
      return with_one_more(space.components, [&](auto n) {
        return converted<geometry::Lorentz, n()>(in, space.radius);
      });
    case PointStorage::h_tiling:
      return with_one_more(space.components, [&](auto n) { return of_cubes<n()>(in); });
    case PointStorage::l_tiling:
      return with_one_more(space.components, [&](auto n) { return of_tiles<n()>(in); });
    default:
      return copied(in, space.components);
  }
}

}  // namespace

HalfSpacePoints Embedding::half_space() const {
  HalfSpacePoints points;
  points.radius = space_.radius;
  for (int f = 0; f < space_.factors; ++f) {
    const FactorReader in(coordinates_, f * space_.columns(), space_.columns());
    points.factors.push_back(factor_of(space_, in));
    const auto& planes = points.factors.back();
    const std::int64_t n = planes.size(2);
    for (std::int64_t row = 0; row < in.rows(); ++row) {
      const double* x = planes.data() + row * n;
      bool good = in.is_finite(row) && x[n - 1] > 0;
      for (std::int64_t i = 0; i < n; ++i) good = good && x[i] - x[i] == 0;
      if (!good)
        throw DomainError(origin_ + ": '" + std::string(name(std::int32_t(row))) +
                          "' is not a point of " + space_.text());
    }
  }
  return points;
}

}  // namespace mct::embed
