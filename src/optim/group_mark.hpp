// The mark of a group of 128 weights: by it a step notices that theta is not what the last one
// wrote.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "mctensor/optim/arrays.hpp"
#include "mctensor/tensor/philox.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// The words of 64 bits, four numbers of theta each, that a group has.
inline constexpr std::size_t mark_words = std::size_t(optim::scale_group) / 4;

/// What is added to word number j of a group.
MCT_HD MCT_ALWAYS_INLINE constexpr std::uint64_t mark_key(std::size_t j) {
  return (2 * std::uint64_t(j) + 1) * 0x9e3779b97f4a7c15u;
}

/// What a word contributes to the sum of its group; W: std::uint64_t or a batch of it. Sums of such
/// products of two halves differ for two groups but for one key in some 2^32.
/// Source: NH of UMAC, Black et al. 1999.
template <class W>
MCT_HD MCT_ALWAYS_INLINE inline W mark_term(const W& word, const W& key) {
  const W sum = word + key;
  return LowWordProduct<W>::apply(sum, sum >> 32);
}

/// The mark of the sum of all terms. It is never 0, which says that nothing is known.
MCT_HD MCT_ALWAYS_INLINE constexpr std::uint32_t mark_of_sum(std::uint64_t sum) {
  const auto mark = std::uint32_t(sum) ^ std::uint32_t(sum >> 32);
  return mark + std::uint32_t(mark == 0);
}

/// The mark of a group of which `count` numbers from number `offset` on are there, as if zeros
/// stood in the place of the others; those beyond the group's end do not count.
inline std::uint32_t mark_of_group(const std::uint16_t* theta, std::int64_t count,
                                   std::int64_t offset = 0) {
  std::uint64_t words[mark_words] = {};
  std::memcpy(reinterpret_cast<std::uint16_t*>(words) + offset, theta,
              2 * std::size_t(std::min(count, optim::scale_group - offset)));
  std::uint64_t sum = 0;
  for (std::size_t j = 0; j < mark_words; ++j) sum += mark_term(words[j], mark_key(j));
  return mark_of_sum(sum);
}

/// Whether a mark that is known says that theta was another.
MCT_HD MCT_ALWAYS_INLINE constexpr bool is_edited(std::uint32_t mark, std::uint32_t mark_of_theta) {
  return mark != 0 && mark != mark_of_theta;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
