// A set of nodes that is filled for each example and emptied at once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace mct::embed {

/// Open addressing in so little memory that it stays in the nearest cache. Each entry has the
/// number of its filling beside the node: those of earlier ones are free.
class NodeSet {
 public:
  /// Makes it empty; it will get at most `most` nodes.
  void clear(std::size_t most) {
    const std::size_t wanted = std::bit_ceil(std::max(room * most, smallest));
    if (++filling_ == 0 || wanted > entries_.size()) {
      entries_.assign(std::max(wanted, entries_.size()), 0);
      shift_ = 32 - std::countr_zero(entries_.size());
      filling_ = 1;
    }
  }
  /// False if it was there already.
  bool insert(std::int32_t node) {
    const std::uint64_t entry = std::uint64_t(filling_) << 32 | std::uint32_t(node);
    // Knuth's multiplicative hashing: nodes that are used together often have near numbers
    std::size_t at = (std::uint32_t(node) * 0x9E3779B1u) >> shift_;
    for (; entries_[at] >> 32 == filling_; at = (at + 1) & (entries_.size() - 1))
      if (entries_[at] == entry) return false;
    entries_[at] = entry;
    return true;
  }

 private:
  // few places are wanted by two nodes, which costs a wrong guess of the processor each
  static constexpr std::size_t room = 16;
  static constexpr std::size_t smallest = 64;

  std::vector<std::uint64_t> entries_;
  std::uint32_t filling_ = 0;
  int shift_ = 0;
};

}  // namespace mct::embed
