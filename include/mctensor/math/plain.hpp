// Functions of plain doubles, computed in all lanes of a batch at once. If the hardware has fma,
// each product is fused with the sum to which it belongs.
#pragma once

#include "mctensor/eft/representation.hpp"
#include "mctensor/expansion/mul.hpp"
#include "mctensor/math/value.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// c_0 + z c_1 + z^2 c_2 ... by Horner's rule. Even and odd powers are summed separately, so that
/// neither sum waits for the other.
template <class V, std::size_t n>
MCT_HD MCT_ALWAYS_INLINE constexpr V horner_by_two(const V& z, const double (&c)[n]) {
  const V z2 = z * z;
  V even = V(c[(n - 1) / 2 * 2]);
  V odd = V(c[n / 2 * 2 - 1]);
  for (std::size_t i = (n - 1) / 2 * 2; i >= 2; i -= 2) even = multiply_add(even, z2, V(c[i - 2]));
  for (std::size_t i = n / 2 * 2 - 1; i >= 3; i -= 2) odd = multiply_add(odd, z2, V(c[i - 2]));
  return multiply_add(odd, z, even);
}

/// log(1 + x) for finite x > -1 (0 for -0). Error <= 1 ulp.
///
/// 1 + x = u + c exactly, and u = 2^k (1 + f) with an exact f in [sqrt(1/2) - 1, sqrt(2) - 1]. With
/// s = f / (2 + f), log(1 + f) = 2 atanh s = f - (f^2 / 2 - s (f^2 / 2 + s^2 P(s^2))). The part c
/// adds 2^-k c / (1 + f), where (1 + f)^-1 = (1 - s) / (1 + s). Source of the form: Tang 1990; P is
/// the minimax polynomial to 2^-59, by Remez' exchange.
template <class V>
MCT_HD inline V plain_log1p_within(const V& x) {
  constexpr double P[] = {0x1.5555555555592p-1, 0x1.999999997fe08p-2, 0x1.24924941ed6e2p-2,
                          0x1.c71c520c012a9p-3, 0x1.74663e6bc036dp-3, 0x1.39a1c639079aep-3,
                          0x1.2f04f7ed7f896p-3};
  constexpr double log2_high = 0x1.62e42fee00000p-1;  // 33 bits: its multiples are exact
  constexpr double log2_low = 0x1.a39ef35793c76p-33;
  const V one(1.0);
  const auto [u, c] = two_sum(one, x);
  const auto split = binary_split(u, scalar_t<V>(0x1.6a09e667f3bcdp-1));
  const V f = split.mantissa - one;
  const V s = f / (f + V(2.0));
  const V z = s * s;
  const V half_square = V(0.5) * f * f;
  const V inverse = multiply_add(s, multiply_add(s, V(2.0), V(-2.0)), one);
  const V small = blend(u < V(0x1p1000), split.inverse_power, V(0.0));
  const V low = multiply_add(split.exponent, V(log2_low), c * small * inverse);
  const V rest = multiply_add(s, multiply_add(z, horner_by_two(z, P), half_square), low);
  return multiply_add(split.exponent, V(log2_high), f - (half_square - rest));
}
/// log(1 + x). Error <= 1 ulp, -infinity for -1, NaN below.
template <class V>
MCT_HD inline V plain_log1p(const V& x) {
  const V pole = blend(x == V(-1.0), V(-FloatTraits<V>::infinity), V(FloatTraits<V>::nan));
  const V special = blend(x == V(FloatTraits<V>::infinity), x, pole);
  const V result =
      blend(x > V(-1.0) && x < V(FloatTraits<V>::infinity), plain_log1p_within(x), special);
  return blend(x == V(0.0), x, result);
}

/// e^x - 1. Error <= 1.5 ulp.
///
/// With x = k log 2 + r and |r| <= log(2) / 2, the result is (2^k - 1) + 2^k (r + r^2 Q(r)). The
/// two leading terms are added without error. Q is the minimax polynomial to 2^-61, by Remez'
/// exchange.
template <class V>
MCT_HD inline V plain_expm1(const V& x) {
  constexpr double Q[] = {0x1.0000000000000p-1,  0x1.5555555555559p-3,  0x1.555555555555ap-5,
                          0x1.111111110f67ep-7,  0x1.6c16c16c1441dp-10, 0x1.a01a01affb13fp-13,
                          0x1.a01a01b0c702ep-16, 0x1.71ddf81695b71p-19, 0x1.27e4c57e956fcp-22,
                          0x1.af5f32b715346p-26, 0x1.1f95987372bc3p-29};
  constexpr double log2_high = 0x1.62e42fee00000p-1;
  constexpr double log2_low = 0x1.a39ef35793c76p-33;
  const V lowest(-40.0);  // e^x - 1 is -1 to an ulp
  const V highest(710.0);
  const V above = blend(x > lowest, x, lowest);
  const V within = blend(above < highest, above, highest);
  const V k = nearest_integer(V(within * V(1.4426950408889634)));
  const V high = multiply_add(k, V(-log2_high), within);
  const V step = k * V(log2_low);
  const V r = high - step;
  const V low = (high - r) - step;
  const V curved = multiply_add(r * r, horner_by_two(r, Q), low);
  const V half_power = power_of_two(V(k - V(1.0)));
  const auto [sum, rest] = fast_two_sum(V(half_power - V(0.5)), V(half_power * r));
  const V result = V(2.0) * (sum + multiply_add(half_power, curved, rest));
  return blend(magnitude(x) > V(0x1p-54), result, x);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
