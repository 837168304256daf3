// Groups of weights whose theta was written from outside: the old part in low is dropped.
#pragma once

#include "src/optim/group_mark.hpp"
#include "src/optim/kernels/adamw_table.hpp"
#include "src/optim/split_float.hpp"
#include "src/tensor/kernels/philox_lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using optim_detail::group_length;

/// mark_of_group of a whole group.
MCT_ALWAYS_INLINE inline std::uint32_t mark_of_whole_group(const void* theta) {
  alignas(64) static constexpr auto keys = [] {
    std::array<std::uint64_t, detail::mark_words> all{};
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = detail::mark_key(j);
    return all;
  }();
  const auto* const words = static_cast<const unsigned char*>(theta);
  Words64 sum(std::uint64_t(0));
  for (std::size_t j = 0; j < detail::mark_words; j += words64_lanes)
    sum = sum + detail::mark_term(load_any_words64(words + 8 * j), load_words64(keys.data() + j));
  return detail::mark_of_sum(sum_of_words64(sum));
}

/// The marks of a composition's groups.
class MarkedGroups {
 public:
  explicit MarkedGroups(const optim::AdamWMemory& p)
      : theta_(static_cast<const unsigned char*>(p.theta)),
        low_(static_cast<unsigned char*>(p.low)),
        marks_(static_cast<std::uint32_t*>(p.marks)) {}

  /// Drops the part in low of a group whose theta differs from the marked theta: the weights are
  /// then theta. Low: the type of its elements.
  template <class Low>
  MCT_ALWAYS_INLINE void open(std::size_t group) const {
    if (detail::is_edited(marks_[group], mark_of_whole_group(at(group)))) [[unlikely]]
      drop(low_ + group * group_length * sizeof(Low), sizeof(Low));
  }
  MCT_ALWAYS_INLINE void close(std::size_t group) const {
    marks_[group] = mark_of_whole_group(at(group));
  }
  bool are_there() const { return marks_ != nullptr; }

 private:
  /// In bytes the lowest bits stay: they belong to the scales of m and v.
  [[gnu::noinline]] static void drop(unsigned char* low, std::size_t size) {
    const unsigned char kept = size == 1 ? std::uint8_t(~detail::lower_byte_mask) : 0;
    for (std::size_t i = 0; i < group_length * size; ++i) low[i] &= kept;
  }
  const unsigned char* at(std::size_t group) const {
    return theta_ + group * group_length * sizeof(std::uint16_t);
  }

  const unsigned char* theta_;
  unsigned char* low_;
  std::uint32_t* marks_;
};

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
