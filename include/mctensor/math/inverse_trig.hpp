// Inverse trigonometric functions, all through the arc tangent of a quotient.
//
// atan(y/x) = atan(c) + atan((y - c x) / (x + c y)) with c = j/64 near y/x; atan(c) is from a
// table.
//
// Domain: every x, unless a function names another domain; NaN gives NaN. Source: the addition
// theorem of the arc tangent, a table and a power series; this is not the method of a paper.
#pragma once

#include <cmath>

#include "mctensor/expansion/operand.hpp"
#include "mctensor/expansion/scale.hpp"
#include "mctensor/math/hyperbolic.hpp"
#include "mctensor/math/plain/functions.hpp"
#include "mctensor/math/polynomial.hpp"
#include "mctensor/math/tables/atan_table.hpp"
#include "mctensor/math/tables/constants.hpp"
#include "mctensor/math/tables/series.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {
namespace detail {

/// atan(y / x) for 0 <= y <= x of moderate size, in W = N + 1 limbs. Relative error about u^N / 16.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> atan_octant(const Expansion<T, N + 1>& y,
                                              const Expansion<T, N + 1>& x) {
  const T j = nearest_integer(T(y.limb[0] / x.limb[0] * 64));
  const auto c = single(T(j / 64));
  const auto numerator = add_limbs(y, -mul_limbs(x, c));
  const auto denominator = quick_sum(x, mul_limbs(y, c));
  const auto rest = quick_quotient(numerator, denominator);
  const Expansion<T, N> r = leading<N>(rest);
  const Expansion<T, N> z = mul_limbs(r, r);
  const auto tail =
      mul_limbs(mul_limbs(r, z), series<tables::AtanSeries, N * FloatTraits<T>::p - 9, 13>(z));
  return quick_sum(table_row<tables::AtanTable, N + 1>(j), add_smaller(rest, tail));
}

/// The angle of the point (x, y), x and y not negative, of moderate size: 0 to pi/2.
template <int N, class T>
MCT_HD inline Expansion<T, N + 1> atan_quadrant(const Expansion<T, N + 1>& y,
                                                const Expansion<T, N + 1>& x) {
  if (y.limb[0] <= x.limb[0]) return atan_octant<N>(y, x);
  return quick_sum(constant<tables::HalfPi, T, N + 1>(), -atan_octant<N>(x, y));
}

/// sqrt((1 - a) (1 + a)) for 0 <= a <= 1. It is the product of two roots, so that nothing
/// underflows.
template <class T, int W>
MCT_HD inline Expansion<T, W> circle_root(const Expansion<T, W>& a) {
  const auto below = add_limbs(-a, single(number<T>(1)));
  return mul_limbs(sqrt(below), sqrt(quick_sum(a, single(number<T>(1)))));
}

/// y / x, for an angle so small that it equals its tangent to rounding. Only the end result may
/// underflow.
template <class T, int N>
MCT_HD inline Expansion<T, N> flat_angle(const Expansion<T, N>& y, const Expansion<T, N>& x) {
  const int ey = std::ilogb(y.limb[0]);
  const int ex = std::ilogb(x.limb[0]);
  const auto q = quick_quotient(widen<N + 1>(ldexp(y, -ey)), widen<N + 1>(ldexp(x, -ex)));
  // far below the smallest subnormal, but within the range of scaling
  constexpr int lowest = -FloatTraits<T>::emax * 3 / 2;
  const int exponent = ey - ex > lowest ? ey - ex : lowest;
  return unscaled<N>(Scaled<T, N + 1>{q, T(exponent)});
}

/// A constant of the table, such as pi, rounded, with the given sign.
template <class Table, int N, class T>
MCT_HD inline Expansion<T, N> signed_constant(const T& sign) {
  return with_sign(round_limbs<N>(constant<Table, T, N + 1>()), std::copysign(T(1), sign));
}

/// True if |x| > 1. If the leading limb is 1, the second limb decides.
template <class T, int N>
MCT_HD inline bool beyond_one(const Expansion<T, N>& a) {
  return a.limb[0] > 1 || (a.limb[0] == 1 && a.limb[1] > 0);
}

}  // namespace detail

/// atan x. Error <= 1.5 u^N |atan x|, plus 2^N eta. atan(+-inf) = +-pi/2, atan(-0) = -0.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD inline Expansion<T, N> atan(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Atan>(x.limb[0]);
  } else {
    const T lead = detail::magnitude(x.limb[0]);
    if (lead != lead || lead < detail::cubic_limit<T, N>) return x;
    // from this number on, 1/x is negligible beside pi/2
    if (lead > pow2<T>(FloatTraits<T>::emax - 8))
      return detail::signed_constant<tables::HalfPi, N>(x.limb[0]);
    const auto a = detail::widen<N + 1>(detail::magnitude_of(x));
    const auto r =
        detail::atan_quadrant<N>(a, detail::widen<N + 1>(detail::single(detail::number<T>(1))));
    return detail::with_sign(detail::round_limbs<N>(r), x.limb[0]);
  }
}

/// The angle of the point (x, y) in (-pi, pi]. Error <= 1.5 u^N |atan2(y, x)|, plus 2^N eta.
/// Special cases are as in C: signed zeros and infinities give the angles of axes and diagonals,
/// each rounded to nearest.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> atan2(const Expansion<T, N>& y, const Expansion<T, N>& x) {
  const T y0 = y.limb[0];
  const T x0 = x.limb[0];
  if constexpr (N == 1) {
    return std::atan2(y0, x0);
  } else {
    if (x0 != x0 || y0 != y0) return x0 + y0;
    constexpr int W = N + 1;
    const T infinity = FloatTraits<T>::infinity;
    auto p = detail::magnitude_of(y);
    auto q = detail::magnitude_of(x);
    const bool left = std::signbit(x0);
    if (p.limb[0] == infinity || q.limb[0] == infinity) {
      // an infinite coordinate outweighs a finite one; two infinite coordinates give a diagonal
      p = Expansion<T, N>(T(p.limb[0] == infinity ? 1 : 0));
      q = Expansion<T, N>(T(q.limb[0] == infinity ? 1 : 0));
    }
    if (p.limb[0] == 0) {
      if (left) return detail::signed_constant<tables::Pi, N>(y0);
      return std::copysign(T(0), y0);
    }
    const T largest = p.limb[0] > q.limb[0] ? p.limb[0] : q.limb[0];
    const auto s = detail::scale_to_unit(largest);
    const auto unit = [&](const Expansion<T, N>& v) {
      return detail::widen<W>(detail::scale_limbs(detail::scale_limbs(v, s.first), s.second));
    };
    const auto py = unit(p);
    const auto qx = unit(q);
    if (!left && py.limb[0] < detail::cubic_limit<T, N> * qx.limb[0])
      return detail::with_sign(detail::flat_angle(p, q), std::copysign(T(1), y0));
    auto angle = detail::atan_quadrant<N>(py, qx);
    if (left) angle = detail::quick_sum(detail::constant<tables::Pi, T, W>(), -angle);
    return detail::with_sign(detail::round_limbs<N>(angle), std::copysign(T(1), y0));
  }
}

MCT_MIXED_FUNCTION(atan2)

/// asin x. Error <= 1.5 u^N |asin x|, plus 2^N eta. NaN for |x| > 1; asin(-0) = -0.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD inline Expansion<T, N> asin(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Asin>(x.limb[0]);
  } else {
    const auto a = detail::magnitude_of(x);
    if (a.limb[0] != a.limb[0] || detail::beyond_one(a)) return FloatTraits<T>::nan;
    if (a.limb[0] < detail::cubic_limit<T, N>) return x;
    const auto w = detail::widen<N + 1>(a);
    const auto r = detail::atan_quadrant<N>(w, detail::circle_root(w));
    return detail::with_sign(detail::round_limbs<N>(r), x.limb[0]);
  }
}

/// acos x. Error <= 1.5 u^N acos x, near 1 too, plus 2^N eta. NaN for |x| > 1.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD inline Expansion<T, N> acos(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Acos>(x.limb[0]);
  } else {
    const auto a = detail::magnitude_of(x);
    if (a.limb[0] != a.limb[0] || detail::beyond_one(a)) return FloatTraits<T>::nan;
    const auto w = detail::widen<N + 1>(a);
    const auto r = detail::atan_quadrant<N>(detail::circle_root(w), w);
    if (x.limb[0] >= 0) return detail::round_limbs<N>(r);
    return detail::round_limbs<N>(detail::quick_sum(detail::constant<tables::Pi, T, N + 1>(), -r));
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
