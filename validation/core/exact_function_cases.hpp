// Operands at which an elementary function is a number of the type: the category "exact results".
#pragma once

#include "validation/core/exact_cases.hpp"

namespace mct::validation {

/// 0: where the function is 0 or 1 or another short number.
template <class T, int N>
void at_zero(Random& random, std::array<Expansion<T, N>, 3>& x) {
  x[0] = random.one_in(2) ? Expansion<T, N>() : -Expansion<T, N>();
}

/// A whole number k with 2^k in the range of the type.
template <class T, int N>
void binary_exponent(Random& random, std::array<Expansion<T, N>, 3>& x) {
  x[0] = Expansion<T, N>(T(random.between(FloatTraits<T>::emin, FloatTraits<T>::emax - 1)));
}

/// 2^k.
template <class T, int N>
void power_of_two(Random& random, std::array<Expansion<T, N>, 3>& x) {
  x[0] = moved(random, Expansion<T, N>(T(1)), 0, 1);
}

/// b^n for a whole number b and n >= 1, where it has N limbs at most.
template <class T, int N>
Expansion<T, N> whole_power(const Expansion<T, N>& b, int n) {
  Expansion<T, N> r = b;
  for (int i = 1; i < n; ++i) r = whole_product(r, b);
  return r;
}

/// The largest k for which 10^k has at most N p bits: 5^k is below 2^(N p).
template <class T, int N>
inline constexpr int most_tens = std::min(N* FloatTraits<T>::p * 3 / 7,
                                          (FloatTraits<T>::emax - 1) * 3 / 10);

/// 10^k with at most N p bits.
template <class T, int N>
void power_of_ten(Random& random, std::array<Expansion<T, N>, 3>& x) {
  x[0] = whole_power(Expansion<T, N>(T(10)), random.between(1, most_tens<T, N>));
}

/// k of such a power.
template <class T, int N>
void exponent_of_ten(Random& random, std::array<Expansion<T, N>, 3>& x) {
  x[0] = Expansion<T, N>(T(random.between(0, most_tens<T, N>)));
}

/// s^3 with a whole number s of either sign, times a power of eight.
template <class T, int N>
void exact_cube(Random& random, std::array<Expansion<T, N>, 3>& x) {
  const auto root = whole_number<T, N>(random, random.between(1, whole_bits<T, N> / 3));
  x[0] = moved(random, whole_power(root, 3), 0, 3);
  if (random.one_in(2)) x[0] = -x[0];
}

/// The legs k (m^2 - n^2), 2 k m n of a right triangle of hypotenuse k (m^2 + n^2), times a power
/// of two; one leg in eight is zero.
template <class T, int N>
void right_triangle(Random& random, std::array<Expansion<T, N>, 3>& x) {
  constexpr int bits = whole_bits<T, N>;
  const int short_bits = random.between(1, std::min(10, bits / 4));
  const T m(int(random.below(std::uint64_t(1) << short_bits) + 2));
  const T n(random.between(1, int(m) - 1));
  const auto k = whole_number<T, N>(random, random.between(1, bits - 2 * short_bits - 4));
  // the same exponent for both: every power of two that leaves room for the squares' sum
  const int shift = random.between(FloatTraits<T>::emin / 2, FloatTraits<T>::emax - bits - 8);
  const auto leg = [&](T length) {
    const auto whole = whole_product(k, Expansion<T, N>(length));
    const auto r = ldexp(whole, std::max(shift, FloatTraits<T>::emin));
    return random.one_in(2) ? -r : r;
  };
  x[0] = leg(m * m - n * n);
  x[1] = random.one_in(8) ? Expansion<T, N>() : leg(2 * m * n);
  if (random.one_in(2)) std::swap(x[0], x[1]);
}

/// x = s^(2^j), y = i / 2^j of any sign, whose power is s^i: of at most N p bits for y > 0, a power
/// of two for y < 0.
template <class T, int N>
void exact_power(Random& random, std::array<Expansion<T, N>, 3>& x) {
  constexpr int bits = whole_bits<T, N>;
  const int root = 1 << random.between(0, 3);
  const int i = random.one_in(4) ? root : random.between(1, bits);
  const bool falls = random.one_in(4);
  const int most = bits / std::max(root, i);
  auto s = falls || most < 2 ? Expansion<T, N>(T(2))
                             : whole_number<T, N>(random, random.between(1, most));
  if (falls && random.one_in(2)) s = Expansion<T, N>(T(0.5));
  x[0] = whole_power(s, root);
  x[1] = Expansion<T, N>(T(falls ? -i : i) / T(root));
  if (i % root == 0 && random.one_in(3)) x[0] = -x[0];
}

/// A multiple of 1/2.
template <class T, int N>
void half_number(Random& random, std::array<Expansion<T, N>, 3>& x) {
  const auto whole = whole_number<T, N>(random, random.between(1, whole_bits<T, N>));
  x[0] = ldexp(random.one_in(2) ? -whole : whole, -1);
}

/// A multiple of 1/4.
template <class T, int N>
void quarter_number(Random& random, std::array<Expansion<T, N>, 3>& x) {
  half_number(random, x);
  x[0] = ldexp(x[0], -1);
}

/// Sides k (m^2 - n^2), 2 k m n and 0 or, with a length of 1 + 2 + 2 = 3, k (1, 2, 2) times a power
/// of two.
template <class T, int N>
void quadruple(Random& random, std::array<Expansion<T, N>, 3>& x) {
  if (random.one_in(2)) {
    right_triangle(random, x);
    x[2] = Expansion<T, N>();
  } else {
    const auto k = whole_number<T, N>(random, random.between(1, whole_bits<T, N> - 3));
    x = {k, ldexp(k, 1), ldexp(random.one_in(2) ? -k : k, 1)};
  }
  std::swap(x[2], x[random.below(3)]);
}

/// 1 to where (x - 1)! leaves the range; the suite looks at those that have N p bits at most.
template <class T, int N>
void factorial_argument(Random& random, std::array<Expansion<T, N>, 3>& x) {
  x[0] = Expansion<T, N>(T(random.between(1, FloatTraits<T>::emax == 1024 ? 171 : 35)));
}

}  // namespace mct::validation
