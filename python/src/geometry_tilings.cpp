// Points of the L- and H-tilings: lists of points with exact tiles.
#include <nanobind/stl/unique_ptr.h>

#include <cstdio>
#include <memory>

#include "any_tensor.hpp"
#include "geometry.hpp"
#include "mctensor/geometry/tiling/htiling.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "recorded.hpp"

namespace mct::python {

namespace {

using namespace geometry;

/// The rough number of floating-point operations of one of the slower operations.
constexpr double cost = 1000;

/// Points of any tiling. An operand has the same number of points, or one. Points never change, so
/// that threads may share them.
class TilingPoints {
 public:
  virtual ~TilingPoints() = default;
  using Pointer = std::unique_ptr<TilingPoints>;

  virtual std::int64_t size() const = 0;
  virtual Pointer select(const std::vector<std::int64_t>& which) const = 0;
  virtual Tensor<double> dist(const TilingPoints& other) const = 0;
  virtual Tensor<double> dist0() const = 0;
  virtual Tensor<double> dist_gradient(const TilingPoints& other) const = 0;
  virtual Tensor<double> logmap(const TilingPoints& other) const = 0;
  virtual Tensor<double> egrad2rgrad(const Tensor<double>& gradient) const = 0;
  virtual Tensor<double> norm(const Tensor<double>& tangent) const = 0;
  virtual Pointer expmap(const Tensor<double>& tangent) const = 0;
  virtual Tensor<double> ptransp(const TilingPoints& to, const Tensor<double>& tangent) const = 0;
  /// The points after a step.
  virtual Pointer rsgd_step(const Tensor<double>& gradient, double rate) const = 0;
  /// In the model of the tiling: the half-space or the ball.
  virtual Tensor<double> coordinates() const = 0;
  /// In the tile.
  virtual Tensor<double> local() const = 0;
  /// The whole numbers of the tiles, in hexadecimal.
  virtual std::vector<std::vector<std::string>> tiles() const = 0;
};

/// In hexadecimal, because Python reads at most 4300 digits of a decimal text.
std::string text_of(const Integer& x) {
  std::string text = x.sign() < 0 ? "-0" : "0";
  const std::vector<std::uint32_t> digits = x.digits();
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    char eight[9];
    std::snprintf(eight, sizeof eight, "%08x", unsigned(*digit));
    text += eight;
  }
  return text;
}

/// The differences between the tilings.
struct Plane {
  using Space = LTiling<double>;
  static constexpr std::size_t n = 2;
  static Space::Point read(const Space& space, const std::array<double, n>& x) {
    return space.from_ball(x);
  }
  static auto coordinates(const Space& space, const Space::Point& x) { return space.to_ball(x); }
  static auto& local(const Space::Point& x) { return x.u; }
  static std::vector<std::string> tile(const Space::Point& x) {
    std::vector<std::string> r;
    r.reserve(9);
    for (int i = 0; i < 9; ++i) r.push_back(text_of(x.tile.entry(i / 3, i % 3)));
    return r;
  }
};
template <std::size_t dimension>
struct Cubes {
  using Space = HTiling<double, dimension>;
  static constexpr std::size_t n = dimension;
  using Point = typename Space::Point;
  static Point read(const Space& space, const std::array<double, n>& x) {
    return space.from_half_space(x);
  }
  static auto coordinates(const Space& space, const Point& x) { return space.to_half_space(x); }
  static auto& local(const Point& x) { return x.z; }
  static std::vector<std::string> tile(const Point& x) {
    std::vector<std::string> r{text_of(x.j)};
    for (const Integer& k : x.k) r.push_back(text_of(k));
    return r;
  }
};

template <class Kind>
class PointsOf final : public TilingPoints {
  using Space = typename Kind::Space;
  using Point = typename Space::Point;
  using Vector = std::array<double, Kind::n>;
  static constexpr auto n = std::int64_t(Kind::n);

 public:
  PointsOf(const Space& space, std::vector<Point> points)
      : space_(space), points_(std::move(points)) {}
  PointsOf(const Space& space, const Tensor<double>& x)
      : space_(space), points_(std::size_t(rows_of(x))) {
    const Tensor<double> rows = x.contiguous();
    each(size(),
         [&](std::int64_t i) { points_[std::size_t(i)] = Kind::read(space_, row(rows, i)); });
  }

  std::int64_t size() const override { return std::int64_t(points_.size()); }
  Pointer select(const std::vector<std::int64_t>& which) const override {
    std::vector<Point> points;
    for (const std::int64_t i : which) {
      if (i < 0 || i >= size()) throw nb::index_error("the index of a point is out of range");
      points.push_back(points_[std::size_t(i)]);
    }
    return std::make_unique<PointsOf>(space_, std::move(points));
  }
  Tensor<double> dist(const TilingPoints& other) const override {
    return numbers(other, [&](const Point& x, const Point& y) { return space_.dist(x, y); });
  }
  Tensor<double> dist0() const override {
    Tensor<double> result({size()});
    each(size(), [&](std::int64_t i) { result.data()[i] = space_.dist0(at(i)); });
    return result;
  }
  Tensor<double> dist_gradient(const TilingPoints& other) const override {
    return vectors(other,
                   [&](const Point& x, const Point& y) { return space_.dist_gradient(x, y); });
  }
  Tensor<double> logmap(const TilingPoints& other) const override {
    return vectors(other, [&](const Point& x, const Point& y) { return space_.logmap(x, y); });
  }
  Tensor<double> egrad2rgrad(const Tensor<double>& gradient) const override {
    const Tensor<double> rows = rows_for(gradient, size());
    return vectors(size(), [&](std::int64_t i) { return space_.egrad2rgrad(at(i), row(rows, i)); });
  }
  Tensor<double> norm(const Tensor<double>& tangent) const override {
    const Tensor<double> rows = rows_for(tangent, size());
    Tensor<double> result({size()});
    each(size(), [&](std::int64_t i) { result.data()[i] = space_.norm(at(i), row(rows, i)); });
    return result;
  }
  Pointer expmap(const Tensor<double>& tangent) const override {
    return moved(tangent, [&](const Point& x, const Vector& v) { return space_.expmap(x, v); });
  }
  Tensor<double> ptransp(const TilingPoints& to, const Tensor<double>& tangent) const override {
    const PointsOf& y = same(to);
    const std::int64_t count = together(y);
    const Tensor<double> rows = rows_for(tangent, count);
    return vectors(count,
                   [&](std::int64_t i) { return space_.ptransp(at(i), y.at(i), row(rows, i)); });
  }
  Pointer rsgd_step(const Tensor<double>& gradient, double rate) const override {
    return moved(gradient,
                 [&](const Point& x, const Vector& v) { return space_.rsgd_step(x, v, rate); });
  }
  Tensor<double> coordinates() const override {
    return vectors(size(), [&](std::int64_t i) { return Kind::coordinates(space_, at(i)); });
  }
  Tensor<double> local() const override {
    return vectors(size(), [&](std::int64_t i) { return Kind::local(at(i)); });
  }
  std::vector<std::vector<std::string>> tiles() const override {
    std::vector<std::vector<std::string>> r;
    for (const Point& x : points_) r.push_back(Kind::tile(x));
    return r;
  }

 private:
  /// A single point stands for every i.
  const Point& at(std::int64_t i) const {
    return points_[points_.size() == 1 ? 0 : std::size_t(i)];
  }
  template <class F>
  static void each(std::int64_t count, const F& f) {
    parallel_for(count, double(count) * cost, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) f(i);
    });
  }
  static Vector row(const Tensor<double>& rows, std::int64_t i) {
    Vector x;
    std::copy_n(rows.data() + i * n, n, x.begin());
    return x;
  }
  static std::int64_t rows_of(const Tensor<double>& x) {
    if (x.dim() != 2 || x.size(1) != n)
      throw ShapeError("an array of shape " + to_string(x.shape()) +
                       " is given, expected (points, " + std::to_string(n) + ")");
    return x.size(0);
  }
  static Tensor<double> rows_for(const Tensor<double>& x, std::int64_t count) {
    return (x.dim() == 1 ? x.unsqueeze(0) : x).expand({count, n}).contiguous();
  }
  const PointsOf& same(const TilingPoints& other) const {
    const auto* const points = dynamic_cast<const PointsOf*>(&other);
    if (points == nullptr || points->space_.radius() != space_.radius())
      throw nb::type_error("the points belong to another tiling, dimension or radius");
    return *points;
  }
  std::int64_t together(const PointsOf& other) const {
    if (other.size() == 1 || size() == other.size()) return size();
    if (size() == 1) return other.size();
    throw ShapeError(std::to_string(size()) + " points and " + std::to_string(other.size()) +
                     "; the numbers must be equal");
  }
  /// Applies f to each point and its vector.
  template <class F>
  Pointer moved(const Tensor<double>& x, const F& f) const {
    const Tensor<double> rows = rows_for(x, size());
    std::vector<Point> points(points_.size());
    each(size(), [&](std::int64_t i) { points[std::size_t(i)] = f(at(i), row(rows, i)); });
    return std::make_unique<PointsOf>(space_, std::move(points));
  }
  template <class F>
  static Tensor<double> vectors(std::int64_t count, const F& f) {
    Tensor<double> result({count, n});
    each(count, [&](std::int64_t i) {
      const Vector v = f(i);
      std::copy_n(v.begin(), n, result.data() + i * n);
    });
    return result;
  }
  template <class F>
  Tensor<double> vectors(const TilingPoints& other, const F& f) const {
    const PointsOf& y = same(other);
    return vectors(together(y), [&](std::int64_t i) { return f(at(i), y.at(i)); });
  }
  template <class F>
  Tensor<double> numbers(const TilingPoints& other, const F& f) const {
    const PointsOf& y = same(other);
    Tensor<double> result({together(y)});
    each(result.numel(), [&](std::int64_t i) { result.data()[i] = f(at(i), y.at(i)); });
    return result;
  }

  Space space_;
  std::vector<Point> points_;
};

const Tensor<double>& doubles(const AnyTensor& x) { return operand_of<double, 1>("points", x); }

TilingPoints::Pointer make_points(const std::string& tiling, double radius, const AnyTensor& x) {
  const Tensor<double>& rows = doubles(x);
  const std::int64_t n = rows.dim() == 2 ? rows.size(1) : 2;
  const auto of = [&]<class Kind>(const Kind&) -> TilingPoints::Pointer {
    return std::make_unique<PointsOf<Kind>>(typename Kind::Space(radius), rows);
  };
  if (tiling == "LTiling") return of(Plane());
  if (tiling != "HTiling") throw DomainError("there is no tiling '" + tiling + "'");
  if (n == 2) return of(Cubes<2>());
  if (n == 3) return of(Cubes<3>());
  if (n == 4) return of(Cubes<4>());
  if (n == 5) return of(Cubes<5>());
  throw ShapeError("H-tilings have 2 to 5 dimensions, not " + std::to_string(n));
}

}  // namespace

void bind_tilings(nb::module_& m) {
  using P = TilingPoints;
  const auto free = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<P>(m, "TilingPoints", "Points of a tiling.")
      .def("__len__", &P::size)
      .def("select", &P::select, "which"_a, "Some of them.")
      .def(
          "dist", [](const P& x, const P& y) { return wrap(x.dist(y)); }, "other"_a, free,
          "Distances of pairs.")
      .def(
          "dist0", [](const P& x) { return wrap(x.dist0()); }, free, "Distances from the origin.")
      .def(
          "dist_gradient", [](const P& x, const P& y) { return wrap(x.dist_gradient(y)); },
          "other"_a, free, "Partial derivatives of dist by the coordinates in the tile.")
      .def(
          "logmap", [](const P& x, const P& y) { return wrap(x.logmap(y)); }, "other"_a, free,
          "Tangents whose expmap are the others.")
      .def(
          "egrad2rgrad",
          [](const P& x, const AnyTensor& g) { return wrap(x.egrad2rgrad(doubles(g))); },
          "gradient"_a, free, "Riemannian gradients.")
      .def(
          "norm", [](const P& x, const AnyTensor& v) { return wrap(x.norm(doubles(v))); },
          "tangent"_a, free, "Lengths of tangents.")
      .def(
          "expmap", [](const P& x, const AnyTensor& v) { return x.expmap(doubles(v)); },
          "tangent"_a, free, "The ends of geodesics.")
      .def(
          "ptransp",
          [](const P& x, const P& y, const AnyTensor& v) { return wrap(x.ptransp(y, doubles(v))); },
          "to"_a, "tangent"_a, free, "Tangents moved parallel to other points.")
      .def(
          "rsgd_step",
          [](const P& x, const AnyTensor& g, double rate) { return x.rsgd_step(doubles(g), rate); },
          "gradient"_a, "rate"_a, free, "The points after a step.")
      .def(
          "coordinates", [](const P& x) { return wrap(x.coordinates()); }, free,
          "In the ball or the half-space.")
      .def(
          "local", [](const P& x) { return wrap(x.local()); }, free, "In the tile.")
      .def("tiles", &P::tiles, "The tiles' whole numbers, in hexadecimal.");
  m.def("tiling_points", &make_points, "tiling"_a, "radius"_a, "coordinates"_a, free,
        "Points of LTiling (in the ball) or HTiling (in the half-space) by their coordinates.");
}

}  // namespace mct::python
