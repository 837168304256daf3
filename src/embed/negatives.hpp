// Negatives: nodes that an edge's source has no edge to.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "mctensor/graph/graph.hpp"
#include "src/embed/negative_draws.hpp"

namespace mct::embed_detail {
struct WordsTable;
}

namespace mct::embed {

/// A set of nodes that is filled for each example and emptied at once.
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

/// Draws from 0, 1, ... with given weights: Walker's alias method in Vose's form, two words a draw.
class AliasTable {
 public:
  explicit AliasTable(const std::vector<double>& weights);

  std::int32_t draw(std::uint32_t place, std::uint32_t chance) const {
    const std::int32_t at = embed_detail::node_of(place, keep_.size());
    return embed_detail::node_or_alias(at, chance, keep_[std::size_t(at)], other_[std::size_t(at)]);
  }
  const std::vector<std::uint64_t>& keep() const { return keep_; }
  const std::vector<std::int32_t>& other() const { return other_; }

 private:
  std::vector<std::uint64_t> keep_;  // of 2^32
  std::vector<std::int32_t> other_;
};

/// The data by which negatives are drawn, for all threads.
class Negatives {
 public:
  Negatives(const Graph& graph, std::uint64_t seed);

  /// Memory of one thread.
  class Scratch {
    friend class Negatives;
    NodeSet taken;                     // nodes that an example must not draw
    std::vector<std::uint32_t> words;  // random ones
  };

  /// Prefetches the data that draw() needs of a source, in two stages.
  void fetch_begin(std::int32_t source) const { targets_.fetch_begin(source); }
  void fetch_targets(std::int32_t source) const { targets_.fetch_entries(source); }
  /// `count` nodes for an edge from `source` that stands at a place of an epoch; by their numbers
  /// of edges or uniformly. All -1 where there are none.
  void draw(std::int32_t source, std::uint64_t place, std::uint32_t epoch, bool by_count, int count,
            Scratch& scratch, std::int32_t* to) const;

  /// The data for drawing: the targets of edges, and nodes by their numbers of edges.
  const Adjacency& targets() const { return targets_; }
  const AliasTable& by_count() const { return by_count_; }

 private:
  Adjacency targets_;
  AliasTable by_count_;
  std::uint64_t seed_;
  const embed_detail::WordsTable& kernels_;
};

}  // namespace mct::embed
