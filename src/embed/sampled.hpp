// Some of many, drawn by a seed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "mctensor/tensor/philox.hpp"

namespace mct::embed {

/// 64 random bits for a place of stream number `stream` of a seed.
inline std::uint64_t random_word(std::uint64_t seed, std::uint64_t place,
                                 std::uint32_t stream = 0) {
  const auto words = philox4x32({std::uint32_t(place), std::uint32_t(place >> 32), 0, stream},
                                {std::uint32_t(seed), std::uint32_t(seed >> 32)});
  return std::uint64_t(words[0]) << 32 | words[1];
}

/// `count` of 0 ... all - 1, each set of them equally likely (Fisher and Yates; a remainder of 64
/// bits by at most 2^31 is uneven by 2^-33).
inline std::vector<std::int32_t> sampled(std::size_t all, std::size_t count, std::uint64_t seed) {
  std::vector<std::int32_t> numbers(all);
  std::iota(numbers.begin(), numbers.end(), 0);
  count = std::min(count, all);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(numbers[i], numbers[i + std::size_t(random_word(seed, i) % (all - i))]);
  numbers.resize(count);
  return numbers;
}

}  // namespace mct::embed
