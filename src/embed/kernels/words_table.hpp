// Random words of one example, compiled once per instruction set.
// No code here: it may be included under any instruction set.
#pragma once

#include <array>
#include <cstdint>

#include "src/tensor/kernels/registry.hpp"

namespace mct::embed_detail {

/// Numbers of counters are multiples of this: of the lanes of every register.
constexpr std::int64_t words_counters = 8;

struct WordsTable {
  /// The words of philox4x32({counter[0], counter[1], counter[2], first + i}, key) for i = 0 ...
  /// count - 1, four after four; `count` is a multiple of words_counters. The same bits everywhere.
  void (*fill)(std::array<std::uint32_t, 3> counter, std::uint32_t first,
               std::array<std::uint32_t, 2> key, std::int64_t count, std::uint32_t* words);
};

MCT_DECLARE_KERNELS(const WordsTable& words_table();)

inline const WordsTable& find_words_table() { return MCT_SELECT_KERNELS(words_table()); }

}  // namespace mct::embed_detail
