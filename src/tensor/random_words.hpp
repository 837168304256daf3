// Random bits as uniform and as normal numbers of any precision.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/all.hpp"
#include "mctensor/tensor/philox.hpp"

namespace mct::tensor_detail::inline MCT_ISA_NAMESPACE {

/// Eight random words for element i of stream number `stream` of a seed.
MCT_HD inline std::array<std::uint32_t, 8> random_words(std::uint64_t seed, std::uint64_t i,
                                                        std::uint32_t stream) {
  std::array<std::uint32_t, 8> words{};
  for (std::uint32_t part = 0; part < 2; ++part) {
    const auto four = philox4x32({std::uint32_t(i), std::uint32_t(i >> 32), part, stream},
                                 {std::uint32_t(seed), std::uint32_t(seed >> 32)});
    for (std::size_t k = 0; k < 4; ++k) words[std::size_t(4) * part + k] = four[k];
  }
  return words;
}

/// Bits of uniform(): as many as N components hold, but for half none below its smallest number.
template <class T, int N>
inline constexpr int uniform_bits =
    N* FloatTraits<T>::p < -FloatTraits<T>::emin ? N* FloatTraits<T>::p : -FloatTraits<T>::emin;
/// The distance of two neighbours of uniform().
template <class T, int N>
inline constexpr double uniform_step = pow2<double>(-uniform_bits<T, N>);

/// A multiple of 2^-uniform_bits in [0, 1): nothing is rounded up to 1.
template <class T, int N>
MCT_HD Expansion<T, N> uniform(const std::array<std::uint32_t, 8>& words) {
  constexpr int bits = uniform_bits<T, N>;
  if constexpr (bits <= 53) {
    const std::uint64_t word = std::uint64_t(words[0]) << 32 | words[1];
    return Expansion<T, N>(double(word >> (64 - bits)) * uniform_step<T, N>);
  } else {
    using X = Expansion<T, N>;
    X sum{};
    for (int i = 0, left = bits; left > 0; ++i, left -= 32) {
      const int taken = left < 32 ? left : 32;
      sum = sum + ldexp(X(words[std::size_t(i)] >> (32 - taken)), -32 * i - taken);
    }
    return sum;
  }
}

/// Doubles in which normal numbers of so many bits are computed. Sums of two need bits to spare:
/// rounding hides the last ones of their functions, which are not the same with fma and without.
/// Those of one and of three doubles are; of four there are none with more.
constexpr int doubles_for(int bits) {
  return bits <= 53 ? 1 : bits <= 80 ? 2 : bits <= 159 ? 3 : 4;
}

/// Two independent normal numbers from two uniform ones, which are the exponential of minus half
/// the squared radius and the angle. Source: Box, Muller 1958.
template <class T, int N>
MCT_HD std::array<Expansion<T, N>, 2> normal_pair(std::uint64_t seed, std::uint64_t pair) {
  constexpr int M = doubles_for(N * FloatTraits<T>::p);
  using W = Expansion<double, M>;
  // 1 - u lies in (0, 1]: its logarithm is finite
  const W tail = W(1) - uniform<double, M>(random_words(seed, pair, 1));
  const W half_turns = W(2) * uniform<double, M>(random_words(seed, pair, 2));
  const W radius = sqrt(W(-2) * log(tail));
  return {Expansion<T, N>(radius * cospi(half_turns)), Expansion<T, N>(radius * sinpi(half_turns))};
}

}  // namespace mct::tensor_detail::inline MCT_ISA_NAMESPACE
