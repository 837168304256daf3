// Reduction of trigonometric arguments: x = n pi/64 + r, exactly enough for any x.
//
// The remainder r is relatively accurate even for the numbers x that lie nearest to a multiple of
// pi/2. So sine and cosine are relatively accurate everywhere, next to their zeros too.
#pragma once

#include <cmath>

#include "mctensor/expansion/renormalize.hpp"
#include "mctensor/math/tables/constants.hpp"
#include "mctensor/math/tables/reduction_table.hpp"
#include "mctensor/math/value.hpp"
#include "mctensor/math/wide.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// x = n pi/64 + rest, where |rest| is at most a little above pi/128 and 0 <= n < 128. scaled_rest
/// is 2^reduction_shift rest. If the rest is tiny, scaled_rest has limbs that the rest loses to
/// underflow.
template <class T, int W>
struct TrigReduction {
  int n;
  Expansion<T, W> rest, scaled_rest;
};

/// n modulo 128 as a table index; n may be negative.
template <class T>
MCT_HD inline int modulo_128(const T& n) {
  const T m = n - T(128) * std::floor(n / T(128));
  return static_cast<int>(m);
}

/// The number of limbs of the constant pi/64. They are enough for 5 limbs of the remainder, even
/// for an expansion of 4 limbs that lies next to a multiple of pi/64.
inline constexpr int reduction_limbs = tables::PiOver64Limbs<double>::limbs;

/// The tables of reduction_table.hpp hold their values times 2^reduction_shift, so that the lower
/// limbs of floats do not underflow.
template <class T>
inline constexpr int reduction_shift = sizeof(T) == 8 ? 0 : 88;

/// x - n pi/64, for an x that is scaled like the tables. Every product is exact, and the terms are
/// summed without error before the result is rounded.
template <int W, class T, int K>
MCT_HD inline TrigReduction<T, W> exact_reduction(const T (&x)[K], const T& n) {
  T terms[K + 2 * reduction_limbs];
  for (int i = 0; i < K; ++i) terms[i] = x[i];
  const T* pi_over_64 = tables::PiOver64Limbs<T>::row(0);
  for (int i = 0; i < reduction_limbs; ++i) {
    const auto [p, e] = mct::two_prod(T(-n), pi_over_64[i]);
    terms[K + 2 * i] = p;
    terms[K + 2 * i + 1] = e;
  }
  Expansion<T, W> r;
  round_terms(terms, r.limb);
  return {modulo_128(n), scale_limbs(r, pow2<T>(-reduction_shift<T>)), r};
}

/// Below this, n and its products with limbs are exact.
template <class T>
inline constexpr T moderate_angle = pow2<T>(FloatTraits<T>::p - 8);

/// Adds x modulo 2 pi to the sum. x is cut into pieces of `chunk` bits. Each piece is multiplied by
/// the remainder of its power of two, which stands in a table. Source: the idea of Payne, Hanek:
/// Radian reduction for trigonometric functions, SIGNUM 18, 1983.
template <class T>
MCT_HD inline void add_modulo_two_pi(T x, T (&sum)[reduction_limbs]) {
  constexpr int chunk = sizeof(T) == 8 ? 24 : 12;
  using Table = tables::PowersModuloTwoPi<T>;
  while (x != 0) {
    // the highest piece is 2^(chunk * row) times an integer below 2^chunk
    int row = std::ilogb(x) / chunk;
    if (std::ilogb(x) < 0) row = 0;
    const T unit = std::ldexp(T(1), chunk * row);
    const T digit = row > 0 ? std::trunc(x / unit) : x;
    T terms[3 * reduction_limbs];
    for (int i = 0; i < reduction_limbs; ++i) {
      const auto [p, e] = mct::two_prod(digit, Table::row(row)[i]);
      terms[3 * i] = sum[i];
      terms[3 * i + 1] = p;
      terms[3 * i + 2] = e;
    }
    round_terms(terms, sum);
    x -= digit * unit;
  }
}

/// x 64 / pi minus a multiple of 128. The result is below 300, with an error of 2^-(W p + 6). It is
/// the product of m, where x = m 2^(chunk row), and a row of the table. After its first limb, W
/// limbs of the row are used. Source: Payne and Hanek as above, with sums of floats in place of
/// integers.
template <int W, class T>
MCT_HD inline Expansion<T, W> steps_of(const T& x) {
  using Table = tables::PowersInSteps<T>;
  constexpr int chunk = sizeof(T) == 8 ? 24 : 4;
  const int above = std::ilogb(x) - (FloatTraits<T>::p - 1);
  const int row = above > 0 ? above / chunk : 0;
  const T m = x * power_of_two(T(-chunk * row));
  const T* limbs = Table::row(row);
  Expansion<T, W> lower;
  for (int i = 0; i < W; ++i) lower.limb[i] = limbs[i + 1];
  auto r = mul_limbs(lower, single(m));
  r.limb[0] = modulo_unit(r.limb[0], 128);
  const auto [p, e] = mct::two_prod(m, limbs[0]);
  const auto [hi, lo] = mct::two_sum(modulo_unit(p, 128), modulo_unit(e, 128));
  return add_limbs(r, Expansion<T, 2>::from_limbs(hi, lo));
}

/// The reduction of a large x. Next to a multiple of pi/64 the remainder is not relatively
/// accurate. This matters only next to a multiple of pi/2, where reduce_trig uses exact_reduction.
template <int W, class T, int N>
MCT_HD inline TrigReduction<T, W> quick_reduction(const Expansion<T, N>& x) {
  auto steps = steps_of<W>(x.limb[0]);
  for (int i = 1; i < N && x.limb[i] != 0; ++i) steps = add_limbs(steps, steps_of<W>(x.limb[i]));
  const T n = nearest_integer(steps.limb[0]);
  const auto rest = mul_limbs(constant<tables::PiOver64, T, W>(), add_limbs(steps, single(T(-n))));
  return {modulo_128(n), rest, scale_limbs(rest, pow2<T>(reduction_shift<T>))};
}

/// The reduction of any finite x.
template <int W, class T, int N>
MCT_HD inline TrigReduction<T, W> reduce_trig(const Expansion<T, N>& x) {
  constexpr T steps = constant_limb<tables::SixtyFourOverPi, T, 0, 0>;
  if (magnitude(x.limb[0]) < moderate_angle<T>) {
    const T n = nearest_integer(T(x.limb[0] * steps));
    const auto quick = quick_sum(mul_limbs(constant<tables::PiOver64, T, W>(), single(T(-n))), x);
    // without much cancellation, W limbs of pi/64 leave enough bits
    constexpr T loss = pow2<T>(11 - FloatTraits<T>::p);
    if (n == 0 || magnitude(quick.limb[0]) > magnitude(x.limb[0]) * loss)
      return {modulo_128(n), quick, scale_limbs(quick, pow2<T>(reduction_shift<T>))};
    const auto scaled = scale_limbs(x, pow2<T>(reduction_shift<T>));
    return exact_reduction<W>(scaled.limb, n);
  }
  const auto quick = quick_reduction<W>(x);
  // next to zeros and poles the remainder needs more limbs of pi/64
  constexpr T near = constant_limb<tables::PiOver64, T, 0, 0> * pow2<T>(-9);
  if (quick.n % 32 != 0 || magnitude(quick.rest.limb[0]) > near) return quick;
  T sum[reduction_limbs] = {};
  for (int i = 0; i < N; ++i) add_modulo_two_pi(x.limb[i], sum);
  const T n = std::nearbyint(sum[0] * (steps * pow2<T>(-reduction_shift<T>)));
  return exact_reduction<W>(sum, n);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
