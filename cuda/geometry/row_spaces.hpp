// What a row in a thread asks of its space: the words of geometry::ManifoldRows and HalfSpaceRows,
// with their bits. Vectors have N = vector_components.
#pragma once

#include <array>

#include "cuda/geometry/half_space_rows.hpp"
#include "cuda/geometry/row_memory.hpp"
#include "mctensor/geometry/domain.hpp"
#include "mctensor/geometry/operations.hpp"
#include "mctensor/geometry/storage/halfspace/representations.hpp"

namespace mct::cuda {

MCT_BLOCK double leading_part(double x) { return x; }
template <int N>
MCT_BLOCK double leading_part(const Expansion<double, N>& x) {
  return x.limb[0];
}
template <class Vector>
MCT_BLOCK bool all_finite(const Vector& u) {
  bool all = true;
  MCT_UNROLL
  for (int c = 0; c < Vector::dimension; ++c) {
    const double lead = leading_part(u[c]);
    all = all && lead - lead == 0;
  }
  return all;
}

/// Points of a model with the formulas F.
template <class F, int N, int n>
struct ManifoldSpace {
  static constexpr int vector_components = N;
  using Points = RowMemory<double, N, n>;
  using Point = typename Points::Point;
  using Vector = Point;
  using Value = typename Points::Value;

  F formulas;
  Points points;

  MCT_BLOCK Vector egrad2rgrad(const Point& x, const Vector& partial) const {
    return on<geometry::operation::egrad2rgrad>(x, partial);
  }
  MCT_BLOCK Vector to_origin(const Point& x) const {
    return on<geometry::operation::logmap>(x, formulas.origin_like(x));
  }
  MCT_BLOCK double norm(const Point& x, const Vector& u) const {
    return double(on<geometry::operation::norm>(x, u));
  }
  MCT_BLOCK Point expmap(const Point& x, const Vector& u) const {
    const Point y = on<geometry::operation::expmap>(x, u);
    if constexpr (is_surface) return on<geometry::operation::projx>(y);
    return y;
  }
  MCT_BLOCK Vector ptransp(const Point& x, const Point& y, const Vector& u) const {
    const Vector v = on<geometry::operation::ptransp>(x, y, u);
    if constexpr (is_surface) return on<geometry::operation::proju>(y, v);
    return v;
  }
  /// Of free coordinates whatever lies outside gives NaN in the next operation.
  MCT_BLOCK bool is_point(const Point& x) const {
    if constexpr (is_surface)
      return all_finite(x) &&
             formulas.check_point(x, 64 * geometry::detail::unit_roundoff<Value>());
    return all_finite(x);
  }

 private:
  /// Where rounding moves points off the manifold.
  static constexpr bool is_surface = F::least_coordinates > 1;

  template <class Op, class... X>
  MCT_BLOCK auto on(const X&... x) const {
    return Op::template on<Value>(formulas, x...);
  }
};

/// Points of XmcHalfSpace<double, M> or McHalfSpace<double, M>, with frame vectors of one
/// component.
template <class Representation, int M, int n>
struct HalfSpaceSpace {
  static constexpr int vector_components = 1;
  using Points = RowMemory<double, M, n>;
  using Point = typename Points::Point;
  using Vector = geometry::Point<double, n>;
  using Value = double;
  using Space = Representation;

  Space space;
  Points points;

  MCT_BLOCK Vector egrad2rgrad(const Point& x, const Vector& partial) const {
    return point_of(space.egrad2rgrad(stored(x), array_of(partial)));
  }
  MCT_BLOCK Vector to_origin(const Point& x) const {
    return point_of(space.template logmap<n>(stored(x), Space::template origin<n>()));
  }
  MCT_BLOCK double norm(const Point& x, const Vector& u) const {
    return space.norm(stored(x), array_of(u));
  }
  /// Of one height that of rows of tensors, geometry::half_space_expmap_.
  MCT_BLOCK Point expmap(const Point& x, const Vector& u) const {
    if constexpr (has_long_height) {
      return point_of(space.template expmap<n>(stored(x), array_of(u)));
    } else {
      Point y = x;
      move_half_space_row(kernels::RowLanes<double, M, Row>(Row{&y}), n, false,
                          [&](int c) { return u[c]; });
      return y;
    }
  }
  MCT_BLOCK Vector ptransp(const Point& x, const Point& y, const Vector& u) const {
    return point_of(space.template ptransp<n>(stored(x), stored(y), array_of(u)));
  }
  MCT_BLOCK bool is_point(const Point& x) const {
    return all_finite(x) && leading_part(x[n - 1]) > 0;
  }

 private:
  static constexpr bool has_long_height =
      std::is_same_v<typename Space::HeightKind, geometry::LongHeight<double, M>>;
  using Stored = typename Space::template Point<n>;
  using Array = typename Space::template Vector<n>;

  /// A point as kernels::RowLanes asks for it.
  struct Row {
    Point* x;

    MCT_BLOCK double component(int i, int k) const { return (*x)[i].limb[k]; }
    MCT_BLOCK void set_component(int i, int k, double value, std::size_t /*used*/) const {
      (*x)[i].limb[k] = value;
    }
  };

  MCT_BLOCK static Stored stored(const Point& x) {
    Stored p{};
    MCT_UNROLL
    for (int c = 0; c + 1 < n; ++c) p.x[c] = x[c];
    if constexpr (has_long_height) {
      p.height = x[n - 1];
    } else {
      p.height = leading_part(x[n - 1]);
    }
    return p;
  }
  MCT_BLOCK static Point point_of(const Stored& p) requires(has_long_height) {
    Point x;
    MCT_UNROLL
    for (int c = 0; c + 1 < n; ++c) x[c] = p.x[c];
    x[n - 1] = p.height;
    return x;
  }
  MCT_BLOCK static Array array_of(const Vector& u) {
    Array a{};
    MCT_UNROLL
    for (int c = 0; c < n; ++c) a[std::size_t(c)] = u[c];
    return a;
  }
  MCT_BLOCK static Vector point_of(const Array& a) {
    Vector u;
    MCT_UNROLL
    for (int c = 0; c < n; ++c) u[c] = a[std::size_t(c)];
    return u;
  }
};
template <int M, int n>
using XmcHalfSpaceSpace = HalfSpaceSpace<geometry::XmcHalfSpace<double, M>, M, n>;
template <int M, int n>
using McHalfSpaceSpace = HalfSpaceSpace<geometry::McHalfSpace<double, M>, M, n>;

}  // namespace mct::cuda
