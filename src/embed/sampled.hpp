// Some of many, drawn by a seed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "src/embed/draws.hpp"

namespace mct::embed {

/// `count` of 0 ... all - 1, each set of them equally likely (Fisher and Yates; a remainder of 64
/// bits by at most 2^31 is uneven by 2^-33).
inline std::vector<std::int32_t> sampled(std::size_t all, std::size_t count, std::uint64_t seed) {
  std::vector<std::int32_t> numbers(all);
  std::iota(numbers.begin(), numbers.end(), 0);
  count = std::min(count, all);
  const Draws draws(seed, draws_of_samples);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(numbers[i], numbers[i + std::size_t(draws.bits(i) % (all - i))]);
  numbers.resize(count);
  return numbers;
}

}  // namespace mct::embed
