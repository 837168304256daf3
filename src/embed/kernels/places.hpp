// Brings points from a table into lanes, computes the parts of a distance and its gradients there,
// and moves points. V has the lanes: a register of doubles or floats, or on a GPU a thread's double
// (cuda/embed). Rows are those of a table in the lanes: rows.load(at) is number `at` of each, and
// rows.store(at, x, good) writes it where good.
//
// In every storage the square of sinh(d / 2) of points x and y, and its gradients in an orthonormal
// frame, have one form:
//   q = |x - y|^2 a(x) a(y),   grad_x q = a(y) (x - y) + q w(x),
// with a = 1 / (2 h), w = (0, ..., 0, -1) in the half-space, a = 1 / (1 - |x|^2), w = x in the
// ball, and a = 1 / 2, w = x on the hyperboloid, where |x - y|^2 is Minkowski's.
#pragma once

#include "mctensor/geometry/models/lorentz.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/geometry/storage/halfspace/height.hpp"
#include "mctensor/math/all.hpp"
#include "src/embed/kernels/train_operands.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using PlaceLanes = widest_batch<double>;

using geometry::halfspace_detail::limb_of;

/// Lanes of float as two halves of doubles, and back by rounding. Without registers both are the
/// number.
template <class V>
struct Halves : DoubleHalves<V> {};
template <>
struct Halves<float> {
  MCT_ALWAYS_INLINE static double low(float x) { return x; }
  MCT_ALWAYS_INLINE static double high(float x) { return x; }
  MCT_ALWAYS_INLINE static float joined(double x, double) { return float(x); }
};

template <class V>
inline constexpr bool in_float = std::is_same_v<scalar_t<V>, float>;

/// The largest 2 cosh d of a point of M components at the distance d from the origin. A row that a
/// step would lead farther stays where it is. In double points stay within 176, so that the square
/// of q between two of them is finite. Float has a short range: in half-spaces points stay within
/// 43, and steps are cut to the length 16, so that squares of differences, weights and their
/// products are normal numbers wherever they matter; in tilings (three components) points stay
/// within 36, so that a tile's whole numbers fit into a double.
template <class V, int M>
inline constexpr double largest_twice_cosh = !in_float<V> ? 0x1p255
                                             : M < 3 ? embed_detail::largest_twice_cosh_in_float
                                                     : embed_detail::largest_twice_cosh_in_tiles;
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr double longest_step_in(double longest) {
  return in_float<V> && !(longest < 16) ? 16 : longest;
}
/// Zero for numbers up to `largest`, else NaN.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V zero_if_at_most(double largest, const V& x) {
  return geometry::detail::blend(x <= V(largest), V(0.0), V(FloatTraits<double>::nan));
}

/// The numbers of a point's coordinates: known to the compiler where the place has so many, so that
/// they stay in registers.
template <class Place>
MCT_HD MCT_ALWAYS_INLINE constexpr int coordinates_of(int at_run_time) {
  constexpr int n = Place::Coordinates::dimension;
  return n == geometry::dynamic ? at_run_time : n;
}

/// Zero for finite numbers, else NaN.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V zero_if_finite(const V& x) {
  return x - x;
}
/// The factors of vectors of such squared lengths that make no vector longer than `longest`; NaN
/// where the square is infinite.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline V shortening_to(double longest, const V& square) {
  const V shorter = V(longest) / geometry::detail::root(square) + zero_if_finite(square);
  return geometry::detail::blend(square > V(longest * longest), shorter, V(1.0));
}

/// Coordinates of M components in planes; m of them, or as many as there are.
template <int M, int m, class V>
struct PlanePlace {
  static constexpr int stored_components = M;
  using Value = geometry::value_of<V, M>;
  using Coordinates = geometry::Point<Value, m>;
  using Lanes = V;
  using Vector = geometry::Point<V, m>;  // in an orthonormal frame
  static constexpr int more = 0;         // coordinates than dimensions

  template <class Rows>
  MCT_HD MCT_ALWAYS_INLINE static Coordinates load(const Rows& rows, int count) {
    return geometry::detail::generate<Coordinates>(count, [&](int i) {
      Value x;
      for (int k = 0; k < M; ++k) limb_of(x, k) = rows.load(k * count + i);
      return x;
    });
  }
  template <class Rows>
  MCT_HD MCT_ALWAYS_INLINE static void store(const Rows& rows, const Coordinates& x,
                                             const bool* good) {
    for (int i = 0; i < x.size(); ++i)
      for (int k = 0; k < M; ++k) rows.store(k * x.size() + i, limb_of(x[i], k), good);
  }
  /// Zero for points whose distances can be computed, which all in the ball are, else NaN.
  MCT_HD MCT_ALWAYS_INLINE static V zero_if_near(const Coordinates&) { return V(0.0); }
  /// q, of |x - y|^2 and the weights of both.
  MCT_HD MCT_ALWAYS_INLINE static V square(const Coordinates&, const Coordinates&, const V& sum,
                                           const V& own, const V& other) {
    if constexpr (in_float<V>) return sum * (own * other);
    return sum * own * other;
  }
  /// Of a vector in an orthonormal frame.
  template <class F>
  MCT_HD MCT_ALWAYS_INLINE static V squared_length(const Coordinates& x, const F& vector) {
    V sum(0.0);
    for (int i = 0; i < x.size(); ++i) sum = sum + vector(i) * vector(i);
    return sum;
  }
  MCT_HD MCT_ALWAYS_INLINE static V difference(const Coordinates& x, const Coordinates& y, int i) {
    if constexpr (M == 1) {
      return x[i] - y[i];
    } else {
      return geometry::halfspace_detail::difference_of(x[i], y[i]);
    }
  }
};

/// Frame vectors have the height as unit; the height has one component, or as many as the others.
template <int M, int m, bool long_height, class V = PlaceLanes>
struct HalfSpacePlace : PlanePlace<M, m, V> {
  using Planes = PlanePlace<M, m, V>;
  using typename Planes::Coordinates;
  using typename Planes::Value;
  using typename Planes::Vector;

  MCT_HD MCT_ALWAYS_INLINE static V weight(const Coordinates& x) {
    const V h = limb_of(x[x.size() - 1], 0);
    return V(0.5) / geometry::halfspace_detail::positive(h);
  }
  MCT_HD MCT_ALWAYS_INLINE static V zero_if_near(const Coordinates& x) {
    const V h = limb_of(x[x.size() - 1], 0);
    V sum = V(1.0) + h * h;
    for (int i = 0; i + 1 < x.size(); ++i) sum = sum + limb_of(x[i], 0) * limb_of(x[i], 0);
    return zero_if_at_most(largest_twice_cosh<V, M>, V(sum / h));
  }
  MCT_HD MCT_ALWAYS_INLINE static V along(const V& /*coordinate*/, int i, int count) {
    return V(i + 1 == count ? -1.0 : 0.0);
  }
  /// The exponential map of a frame vector.
  template <class F>
  MCT_HD MCT_ALWAYS_INLINE static Coordinates moved(const Coordinates& x, const F& frame) {
    constexpr bool is_long = long_height && M > 1;
    const int last = x.size() - 1;
    Coordinates z = x;
    geometry::half_space_step<V>(
        last + 1, frame, limb_of(x[last], 0),
        [&](int i, const V& shift) { z[i] = x[i] + Value(shift); },
        [&](const auto& stride) {
          z[last] = geometry::halfspace_detail::stretched_in_range<is_long>(
              x[last], stride.stretch, Value(FloatTraits<double>::nan));
        });
    return z;
  }
  /// Transports a frame vector parallel along a step from anywhere, with the height as unit.
  template <class F>
  MCT_HD MCT_LARGE_CALL static void turn(const F& step, Vector& vector) {
    const int n = vector.size();
    const auto stride = geometry::half_space_stride_of<V>(n, step);
    const V factor = stride.times / stride.by;
    const V total = stride.stretch + V(1.0);
    const auto side = [&](int i) { return i + 1 < n ? V(step(i) * factor) : total; };
    const V inverse = V(1.0) / geometry::halfspace_detail::length_of<V>(n, side);
    const auto sine = [&](int i) { return V(side(i) * inverse); };
    const auto turned = [&](int i) -> V& { return vector[i]; };
    geometry::turn_frame<V>(n, sine, sine(n - 1), turned);
  }
  template <class F>
  MCT_HD MCT_ALWAYS_INLINE static void carry(const Coordinates&, const Coordinates&, const F& step,
                                             Vector& vector) {
    turn(step, vector);
  }
};

/// Points of a model, by its formulas at radius 1.
template <template <class> class Formulas, int M, int m, class V>
struct FormulaPlace : PlanePlace<M, m, V> {
  using typename PlanePlace<M, m, V>::Value;

  MCT_HD MCT_ALWAYS_INLINE static auto formulas() {
    Formulas<Value> f;
    f.radius = Value(1.0);
    return f;
  }
  MCT_HD MCT_ALWAYS_INLINE static V along(const V& coordinate, int, int) { return coordinate; }
};

template <int M, int m, class V = PlaceLanes>
struct BallPlace : FormulaPlace<geometry::detail::BallFormulas, M, m, V> {
  using Base = FormulaPlace<geometry::detail::BallFormulas, M, m, V>;
  using Base::formulas;
  using typename Base::Coordinates;
  using typename Base::Value;
  using typename Base::Vector;

  MCT_HD MCT_ALWAYS_INLINE static V weight(const Coordinates& x) {
    const Value gap = formulas().gap(x);
    return V(1.0) / limb_of(gap, 0);
  }
  template <class F>
  MCT_HD MCT_ALWAYS_INLINE static Coordinates moved(const Coordinates& x, const F& frame) {
    const auto f = formulas();
    const Value unit = geometry::detail::halved(f.gap(x));
    const auto u = geometry::detail::generate<Coordinates>(
        x.size(), [&](int i) { return Value(unit * frame(i)); });
    return geometry::detail::kept_inside(f.radius, f.expmap(x, u));
  }
  /// Transports a frame vector parallel from x to z.
  template <class F>
  MCT_HD MCT_LARGE_CALL static void carry(const Coordinates& x, const Coordinates& z, const F&,
                                          Vector& vector) {
    const auto f = formulas();
    const auto u =
        geometry::detail::generate<Coordinates>(x.size(), [&](int i) { return Value(vector[i]); });
    const auto turned = geometry::detail::gyration_from_gaps(f.radius, x, f.gap(x), z, f.gap(z), u);
    for (int i = 0; i < x.size(); ++i) vector[i] = limb_of(turned[i], 0);
  }
};

/// Tangent vectors in the coordinates of the space around; n + 1 of them, the time first. The time
/// of a vector is computed from its other coordinates, because far out its own digits are not
/// enough.
template <int M, int m, class V = PlaceLanes>
struct LorentzPlace : FormulaPlace<geometry::detail::LorentzFormulas, M, m, V> {
  using Base = FormulaPlace<geometry::detail::LorentzFormulas, M, m, V>;
  using Base::formulas;
  using typename Base::Coordinates;
  using typename Base::Value;
  using typename Base::Vector;
  static constexpr int more = 1;

  MCT_HD MCT_ALWAYS_INLINE static V weight(const Coordinates&) { return V(0.5); }
  MCT_HD MCT_ALWAYS_INLINE static V zero_if_near(const Coordinates& x) {
    return zero_if_at_most(largest_twice_cosh<V, M>, V(V(2.0) * limb_of(x[0], 0)));
  }
  MCT_HD MCT_ALWAYS_INLINE static V square(const Coordinates& x, const Coordinates& y, const V&,
                                           const V&, const V&) {
    const auto f = formulas();
    const Value q = f.half_sinh_square(x, y);
    // NaN where squares overflow or lose digits
    const Value safe = geometry::detail::where_ordinary(
        q, [&] { return q; },
        [&] {
          const Value root = f.half_sinh(x, y);
          return Value(root * root);
        });
    return limb_of(safe, 0);
  }
  template <class F>
  MCT_HD MCT_ALWAYS_INLINE static Coordinates as_vector(const Coordinates& x, const F& frame) {
    return geometry::detail::generate<Coordinates>(x.size(),
                                                   [&](int i) { return Value(V(frame(i))); });
  }
  template <class F>
  MCT_HD MCT_ALWAYS_INLINE static V squared_length(const Coordinates& x, const F& frame) {
    const Value length = formulas().length(x, as_vector(x, frame));
    return limb_of(length, 0) * limb_of(length, 0);
  }
  template <class F>
  MCT_HD MCT_ALWAYS_INLINE static Coordinates moved(const Coordinates& x, const F& frame) {
    const Coordinates z = formulas().expmap(x, as_vector(x, frame));
    if constexpr (in_float<V>) {
      // at this time rounding alone moves a point by the distance 1, and a little farther out
      // gradients have no direction: points that come there never come back
      const V last(0x1p25);
      const auto beyond = z[0] > last;
      if (!geometry::detail::somewhere(beyond)) return z;
      const V shorter = geometry::detail::blend(beyond, V(last / z[0]), V(1.0));
      return formulas().lifted(geometry::detail::space_of(z) * shorter);
    } else {
      return z;
    }
  }
  /// Transports a tangent vector parallel from x to z.
  template <class F>
  MCT_HD MCT_LARGE_CALL static void carry(const Coordinates& x, const Coordinates& z, const F&,
                                          Vector& vector) {
    const auto u =
        formulas().ptransp(x, z, as_vector(x, [&](int i) -> const V& { return vector[i]; }));
    for (int i = 0; i < x.size(); ++i) vector[i] = limb_of(u[i], 0);
  }
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
