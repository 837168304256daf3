// Operands whose result is a number of the type: the category "exact results".
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "validation/core/cases.hpp"

namespace mct::validation {

/// Bits of the whole numbers that these cases are made of: half has no larger ones.
template <class T, int N>
inline constexpr int whole_bits = std::min(N* FloatTraits<T>::p, FloatTraits<T>::emax - 1);

/// A whole number of exactly `bits` bits, 1 <= bits <= N p; one in four has few ones.
template <class T, int N>
Expansion<T, N> whole_number(Random& random, int bits) {
  constexpr int p = FloatTraits<T>::p;
  const bool sparse = random.one_in(4);
  T terms[N] = {};
  for (int i = 0; bits > 0; ++i) {
    const int width = std::min(bits, p);
    std::uint64_t m = random.bits();
    if (sparse) m &= random.bits() & random.bits() & random.bits();
    if (i == 0) m |= std::uint64_t(1) << 63;
    bits -= width;
    terms[i] = ldexp(T(m >> (64 - width)), bits);
  }
  return renormalize<N>(terms);
}

/// The product of whole numbers, exactly where it has no more than N limbs.
template <class T, int N>
Expansion<T, N> whole_product(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  T terms[2 * N * N];
  int count = 0;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      const auto [p, e] = two_prod(x.limb[i], y.limb[j]);
      terms[count++] = p;
      terms[count++] = e;
    }
  }
  return renormalize<N>(terms);
}

/// A whole number times a power of two such that every bit of it is in the range of the type, and
/// `margin` binades are left at both ends; `step` divides the exponent.
template <class T, int N>
Expansion<T, N> moved(Random& random, const Expansion<T, N>& x, int margin, int step) {
  using Traits = FloatTraits<T>;
  const int lowest = (Traits::emin + margin) / step;
  const int highest = (Traits::emax - 2 - ilogb(x.limb[0]) - margin) / step;
  return highest < lowest ? x : ldexp(x, step * random.between(lowest, highest));
}

/// x = q y with whole numbers q and y, together of as many bits as the type has or fewer, times
/// powers of two. y has at most `divisor_bits` bits. One in four: x = +-y, whatever y.
template <class T, int N, int divisor_bits = whole_bits<T, N>>
void exact_quotient(Random& random, std::array<Expansion<T, N>, 3>& x) {
  using Traits = FloatTraits<T>;
  constexpr int most = whole_bits<T, N>;
  const bool equal = random.one_in(4);
  const int y_bits = random.between(1, std::min(divisor_bits, most - 1));
  const int q_bits = random.one_in(3) ? random.between(1, std::min(7, most - y_bits))
                                      : random.between(1, most - y_bits);
  x[1] = whole_number<T, N>(random, y_bits);
  x[0] = equal ? x[1] : whole_product(x[1], whole_number<T, N>(random, q_bits));
  if (random.one_in(2)) x[0] = -x[0];
  if (random.one_in(2)) return;
  // half of the range for each: the quotient stays within it
  x[0] = moved(random, x[0], -Traits::emin / 2, 1);
  x[1] = moved(random, x[1], -Traits::emin / 2, 1);
}

/// x = s^2 with a whole number s, times a power of four.
template <class T, int N>
void exact_root(Random& random, std::array<Expansion<T, N>, 3>& x) {
  const auto root = whole_number<T, N>(random, random.between(1, whole_bits<T, N> / 2));
  x[0] = moved(random, whole_product(root, root), 0, 2);
}

/// x = 4^k.
template <class T, int N>
void power_of_four(Random& random, std::array<Expansion<T, N>, 3>& x) {
  x[0] = moved(random, Expansion<T, N>(T(1)), 2, 2);
}

}  // namespace mct::validation
