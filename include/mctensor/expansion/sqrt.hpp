// Square root and its reciprocal.
//
// Source: Lefèvre et al., algorithm 8 (N = 2); the digits of digits.hpp (N = 3 and 4).
#pragma once

#include "mctensor/expansion/div.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {

/// SQRTDWtoDW: error <= 25/8 u^2 sqrt(x). x0 - s^2 is computed exactly, by two_prod. If x is the
/// square of one component, the result is this component: then s is the component, and x1 = s^2 -
/// x0. Source: Lefevre, Louvet, Muller, Picot, Rideau: Accurate calculation of Euclidean norms
/// using double-word arithmetic, ACM TOMS 49(1), 2023, algorithm 8.
template <class T>
MCT_HD inline Expansion<T, 2> sqrt_double_word(const Expansion<T, 2>& x) {
  const T s = square_root(x.limb[0]);
  const auto [p, e] = two_square(s);
  const T rest = x.limb[1] + ((x.limb[0] - p) - e);
  const auto [z0, z1] = fast_two_sum<T>(s, rest / (s + s));
  return Expansion<T, 2>::from_limbs(z0, z1);
}

/// The root of an operand for which no step underflows or overflows. For N = 3 and 4 it consists of
/// N digits; the first one is the root of the first component. Error and exact results: digits.hpp.
/// For N = 5 it is the root of the first three limbs and one correction; the error is about 8u^5.
template <class T, int N>
MCT_HD inline Expansion<T, N> sqrt_limbs(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return square_root(x.limb[0]);
  } else if constexpr (N == 2) {
    return sqrt_double_word(x);
  } else if constexpr (N <= 4) {
    const T s = square_root(x.limb[0]);
    const T inverse = T(scalar_t<T>(0.5)) / s;
    const T rest = digit_rest(x.limb[0], negated(s), s) + x.limb[1];
    const T s0 = multiply_add(rest, inverse, s);
    const auto r1 = rest_after_digit<N>(x, s0, Expansion<T, 1>(s0));
    const T twice_s0 = s0 + s0;
    const auto divisor = [&](const T& second) {
      return Expansion<T, 2>::from_limbs(twice_s0, second);
    };
    const T s1 = quotient_digit(r1, divisor(r1.limb[0] * inverse), inverse);
    const auto r2 = rest_after_digit<N - 1>(r1, s1, divisor(s1));
    const T twice_s1 = s1 + s1;
    const T s2 = quotient_digit(r2, divisor(twice_s1), inverse);
    if constexpr (N == 3) {
      return sum_of_digits(s0, s1, s2);
    } else {
      const auto r3 =
          rest_after_digit<2>(r2, s2, Expansion<T, 3>::from_limbs(twice_s0, twice_s1, s2));
      return sum_of_digits(s0, s1, s2, quotient_digit(r3, divisor(twice_s1), inverse));
    }
  } else {
    const Expansion<T, 3> s = sqrt_limbs(leading<3>(x));
    const Expansion<T, 5> r = add_limbs(x, -mul_widening<5>(s, s));
    const Expansion<T, 2> two_s = leading<2>(scale_limbs(s, T(scalar_t<T>(2))));
    return add_leading<T, 5>(s, div_limbs(leading<2>(r), two_s));
  }
}

/// x scaled by an even power of two into the range where the lowest limb of the root's remainder
/// is a normal number: x = value * root_scale^2.
template <class T, int N>
struct ScaledRadicand {
  Expansion<T, N> value;
  T root_scale, inverse_root_scale;
};

/// The number of limbs whose errors must be normal numbers. A fifth limb does not count, because
/// the range of floats has no room for it.
template <int N>
inline constexpr int radicand_limbs = N - (N == 5 ? 1 : 0);

/// A radicand is scaled if it is below the first or above the second of these numbers.
template <class T, int N>
MCT_HD constexpr T smallest_unscaled_radicand() {
  using Traits = FloatTraits<T>;
  return T(pow2<scalar_t<T>>(Traits::emin + (radicand_limbs<N> + 2) * Traits::p));
}
template <class T>
MCT_HD constexpr T largest_unscaled_radicand() {
  return T(pow2<scalar_t<T>>(FloatTraits<T>::emax - 4));
}

template <class T, int N>
MCT_HD constexpr ScaledRadicand<T, N> scale_radicand(const Expansion<T, N>& x) {
  using S = scalar_t<T>;
  constexpr int half = ((radicand_limbs<N> + 1) * FloatTraits<T>::p + 1) / 2;
  const T down(pow2<S>(-half));
  const T up(pow2<S>(half));
  const T one(S(1));
  const auto small = x.limb[0] < smallest_unscaled_radicand<T, N>();
  const auto large = x.limb[0] > largest_unscaled_radicand<T>();
  const T scale = blend(large, up, blend(small, down, one));
  const T inverse = blend(large, down, blend(small, up, one));
  return {scale_limbs(scale_limbs(x, inverse), inverse), scale, inverse};
}

}  // namespace detail

/// sqrt(x). Domain: every x >= 0; sqrt(-0) = -0; NaN for x < 0. Error <= K u^N sqrt(x), with K = 1,
/// 25/8, 1.1, 1.1 for N = 1..4. If limbs of the root are below the smallest subnormal eta (never
/// for double), N eta is added to the bound. Roots of half are computed in double, like quotients
/// of half: K = 1.001, and eta / 2 is added. The result is exact if x = s^2 and s has at most N p /
/// 2 bits, from its highest to its lowest bit. There is one branch: very large and very small
/// operands are scaled by a power of four, others are not. Both ways give the same bits. The bound
/// of N = 3 is proven by ./run prove for float and double.
template <class T, int N>
MCT_HD inline Expansion<T, N> sqrt(const Expansion<T, N>& x) {
  if constexpr (N == 1) {
    return detail::square_root(x.limb[0]);
  } else if constexpr (std::is_same_v<T, half>) {
    return std::sqrt(double(x));
  } else {
    if (detail::all_lanes(x.limb[0] > detail::smallest_unscaled_radicand<T, N>() &&
                          x.limb[0] < detail::largest_unscaled_radicand<T>()))
      return detail::sqrt_limbs(x);
    const T naive = detail::square_root(x.limb[0]);
    const auto scaled = detail::scale_radicand(x);
    const Expansion<T, N> root = detail::sqrt_limbs(scaled.value);
    return detail::guard_specials<T, N>(detail::scale_limbs(root, scaled.root_scale), naive);
  }
}

/// 1 / sqrt(x), the quotient of 1 and the root. Error <= K u^N / sqrt(x), with K = 2, 4.3, 2.3, 2.3
/// for N = 1..4, which is K of div plus K of sqrt and a little. If limbs of the result are below
/// the smallest subnormal eta, N eta is added. For half and N >= 2, K = 1.001, and eta / 2 is
/// added. Exact for powers of four. rsqrt(+-0) = +-infinity, rsqrt(infinity) = 0, NaN for x < 0.
/// There is no branch.
template <class T, int N>
MCT_HD inline Expansion<T, N> rsqrt(const Expansion<T, N>& x) {
  const T one(scalar_t<T>(1));
  const T naive = one / detail::square_root(x.limb[0]);
  if constexpr (N == 1) {
    return naive;
  } else if constexpr (std::is_same_v<T, half>) {
    return 1 / std::sqrt(double(x));
  } else {
    const auto scaled = detail::scale_radicand(x);
    // For a small x the scaled root is large. 1 / root would have limbs below the smallest
    // subnormal, although the result has none.
    const T up = detail::blend(scaled.inverse_root_scale > one, scaled.inverse_root_scale, one);
    const T down = detail::blend(scaled.inverse_root_scale < one, scaled.inverse_root_scale, one);
    const Expansion<T, N> r =
        detail::quotient_limbs<N>(Expansion<T, 1>(up), detail::sqrt_limbs(scaled.value));
    return detail::guard_specials<T, N>(detail::scale_limbs(r, down), naive);
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
