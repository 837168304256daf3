// Powers and roots.
//
// Domain: every argument; NaN where the function is undefined. Source: exp.hpp and log.hpp (Tang
// 1989 and 1990) for pow; Newton's iteration for cbrt; the root of a scaled sum for hypot. pow with
// an integer equals pow with the expansion that holds the integer.
#pragma once

#include "mctensor/expansion/operand.hpp"
#include "mctensor/expansion/rounding.hpp"
#include "mctensor/math/exp.hpp"
#include "mctensor/math/hyperbolic.hpp"
#include "mctensor/math/log.hpp"
#include "mctensor/math/plain/functions.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {
namespace detail {

/// Whether an integer y is odd.
template <class T, int N>
MCT_HD inline bool is_odd(const Expansion<T, N>& y) {
  // the last limb that is not zero decides, because the limbs before it are even
  int last = N - 1;
  while (last > 0 && y.limb[last] == 0) --last;
  return std::fmod(magnitude(y.limb[last]), T(2)) == 1;
}

template <class T, int N>
MCT_HD inline bool is_integer(const Expansion<T, N>& y) {
  for (int i = 0; i < N; ++i)
    if (std::trunc(y.limb[i]) != y.limb[i]) return false;
  return true;
}

/// x^y for finite positive x and finite y != 0. The series of the logarithm has all limbs, for an
/// error of a few u^(N+1), because y log x may be as large as 2^10.
template <class T, int N>
MCT_HD inline Expansion<T, N> pow_positive(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  constexpr int W = N + 1;
  const auto beyond_1 = add_limbs(widen<W>(x), single(number<T>(-1)));
  const bool near_1 = magnitude(beyond_1.limb[0]) < pow2<T>(-10);
  // near 1 the exponent is y r (1 + r (-1/2 + ...)) with r = x - 1; log x might lose limbs there
  const auto first = near_1 ? beyond_1 : joined(log_parts_any<W, W>(x));
  // leading limbs decide whether the power overflows, so the product below stays finite
  const T lead = first.limb[0] * y.limb[0];
  if (!(magnitude(lead) < exp_limit<T>)) return exp_special(lead);
  auto exponent = product(first, y);
  if (near_1) {
    const auto slope = series<tables::LogSeries, W * FloatTraits<T>::p - 4, 9>(beyond_1);
    exponent = quick_sum(exponent, mul_limbs(mul_limbs(exponent, beyond_1), slope));
  }
  return exp_near<N>(exponent);
}

}  // namespace detail

/// x^y, computed as e^(y log x) with the logarithm and the product in N + 1 limbs. Error <= 1.5 u^N
/// |x^y|, plus N eta where limbs fall below the smallest subnormal. Exact if x^y has at most N p
/// bits, and x^1 = x. Special cases as in C: x^0 = 1 and 1^y = 1 for every x and y; NaN if x < 0
/// and y is not an integer.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> pow(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Pow>(x.limb[0], y.limb[0]);
  } else {
    const T x0 = x.limb[0];
    const T y0 = y.limb[0];
    const bool x_is_one = x0 == 1 && x.limb[1] == 0;
    if (y0 == 0 || x_is_one) return T(1);
    if (y0 == 1 && y.limb[1] == 0) return x;
    if (x0 != x0 || y0 != y0) return x0 + y0;
    const T infinity = FloatTraits<T>::infinity;
    const bool special = x0 == 0 || detail::magnitude(x0) == infinity;
    if (detail::magnitude(y0) == infinity) {
      // if the first limb is 1, the second limb decides whether |x| is above 1
      const auto a = detail::magnitude_of(x);
      const bool above = a.limb[0] > 1 || (a.limb[0] == 1 && a.limb[1] > 0);
      if (a.limb[0] == 1 && a.limb[1] == 0) return T(1);  // (-1)^inf
      return above == (y0 > 0) ? infinity : T(0);
    }
    const bool odd = detail::is_integer(y) && detail::is_odd(y);
    if (special) {
      const T size = (x0 == 0) == (y0 > 0) ? T(0) : infinity;
      return odd ? std::copysign(size, x0) : size;
    }
    if (x0 < 0 && !detail::is_integer(y)) return FloatTraits<T>::nan;
    const auto r = detail::pow_positive(detail::magnitude_of(x), y);
    return x0 < 0 && odd ? -r : r;
  }
}

MCT_MIXED_FUNCTION(pow)

/// x^n for an integer n. Up to 64 factors are multiplied in N + 1 limbs, so that products that fit
/// into N limbs are exact. Otherwise, and near the ends of the range, pow of expansions is used.
/// Error, exact results and special cases as for pow of expansions.
template <class T, int N, MixedOperand<Expansion<T, N>> I>
requires(std::is_integral_v<I>&& is_component_v<T>) MCT_HD
    inline Expansion<T, N> pow(const Expansion<T, N>& x, I n) {
  if constexpr (N == 1) {
    // a double holds whole numbers that T does not hold
    return T(detail::plain_value<T, detail::Pow>(double(x.limb[0]), double(n)));
  } else {
    if (n == I(1)) return x;
    constexpr int most = 64;
    const bool negative = n < I(0);
    const bool few = n <= I(most) && (!negative || n >= I(-most)) && n != I(0);
    const int factors = few ? (negative ? -int(n) : int(n)) : most;
    // from 2^-reach to 2^reach nothing overflows, and underflow is below u^N / 2^10 of the result
    using Traits = FloatTraits<T>;
    constexpr int above = Traits::emax - Traits::p - 2;
    constexpr int below = -Traits::emin - N * Traits::p - 16;
    constexpr int reach = above < below ? above : below;
    int exponent = Traits::emax;
    if (x.limb[0] != 0 && x.limb[0] - x.limb[0] == 0) std::frexp(x.limb[0], &exponent);
    if (exponent <= 0) exponent = 1 - exponent;
    if (!few || exponent * factors > reach) return pow(x, Expansion<T, N>(n));
    constexpr int W = N + 1;
    auto square = detail::widen<W>(x);
    auto r = detail::widen<W>(detail::single(detail::number<T>(1)));
    for (int left = factors; left > 0; left /= 2) {
      if (left % 2 != 0) r = detail::mul_limbs(r, square);
      if (left > 1) square = detail::mul_limbs(square, square);
    }
    if (negative) r = detail::div_limbs(detail::widen<W>(detail::single(detail::number<T>(1))), r);
    return detail::round_limbs_near<N>(
        r, T(detail::magnitude(r.limb[0]) * detail::own_small_error<T, N>));
  }
}

/// The cube root. Error <= 1.5 u^N |cbrt x|, plus N eta where limbs fall below the smallest
/// subnormal. Exact if the root has at most N p bits. cbrt(-0) = -0. The method is Newton's
/// iteration in N + 1 limbs, which begins with the root of the first limb.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD inline Expansion<T, N> cbrt(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Cbrt>(x.limb[0]);
  } else {
    constexpr int W = N + 1;
    if (x.limb[0] == 0 || !(x.limb[0] - x.limb[0] == 0)) return x.limb[0];
    int exponent = 0;
    std::frexp(x.limb[0], &exponent);
    exponent -= exponent % 3;
    Expansion<T, W> a;
    for (int i = 0; i < N; ++i) a.limb[i] = std::ldexp(x.limb[i], -exponent);
    Expansion<T, W> y(std::cbrt(a.limb[0]));
    for (int bits = 1; bits < W; bits *= 2) {
      const auto square = detail::mul_limbs(y, y);
      const auto error = detail::add_limbs(a, -detail::mul_limbs(square, y));
      const auto slope = detail::mul_limbs(square, detail::single(detail::number<T>(3)));
      y = detail::add_limbs(y, detail::div_limbs(error, slope));
    }
    const auto r = detail::round_limbs_near<N>(
        y, T(detail::magnitude(y.limb[0]) * detail::own_small_error<T, N>));
    const int third = exponent / 3;
    return detail::scale_by_power(r, T(third));
  }
}

namespace detail {
/// The root of the sum of the squares of `sides`, with the error of hypot. N is at least 2.
template <int count, class T, int N>
MCT_HD inline Expansion<T, N> length_of_sides(const Expansion<T, N> (&sides)[count]) {
  constexpr int W = N + 1;
  T largest = 0;
  T sum_of_leads = 0;
  for (const auto& side : sides) {
    const T size = magnitude(side.limb[0]);
    if (size == FloatTraits<T>::infinity) return size;
    sum_of_leads += size;
    if (size > largest) largest = size;
  }
  if (sum_of_leads != sum_of_leads || largest == 0) return sum_of_leads;
  const auto s = scale_to_unit(largest);
  const auto square = [&](const Expansion<T, N>& side) {
    const auto unit = widen<W>(scale_limbs(scale_limbs(side, s.first), s.second));
    return mul_limbs(unit, unit);
  };
  auto sum = square(sides[0]);
  for (int i = 1; i < count; ++i) sum = add_limbs(sum, square(sides[i]));
  const auto wide = sqrt_limbs(sum);
  const auto root = round_limbs_near<N>(wide, T(wide.limb[0] * own_small_error<T, N>));
  auto r = scale_limbs(scale_limbs(root, s.inverse_second), s.inverse_first);
  if (!(r.limb[0] - r.limb[0] == 0)) r = Expansion<T, N>(r.limb[0]);
  return r;
}
}  // namespace detail

/// sqrt(x^2 + y^2); the squares do not overflow or underflow. Error <= 1.5 u^N hypot(x, y), plus N
/// eta. Exact if the result has at most N p bits. hypot(+-inf, y) = inf for every y.
template <class T, int N>
requires(is_component_v<T> || N == 1) MCT_HD
    inline Expansion<T, N> hypot(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  if constexpr (N == 1) {
    return detail::plain_function<detail::Hypot>(x.limb[0], y.limb[0]);
  } else {
    return detail::length_of_sides<2, T, N>({x, y});
  }
}
MCT_MIXED_FUNCTION(hypot)

}  // namespace mct::inline MCT_ISA_NAMESPACE
