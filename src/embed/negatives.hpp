// Negatives: nodes that an edge's source has no edge to.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/embed/graph.hpp"
#include "src/embed/negative_draws.hpp"
#include "src/embed/node_set.hpp"

namespace mct::embed_detail {
struct WordsTable;
}

namespace mct::embed {

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

/// What the negatives of all threads are drawn by.
class Negatives {
 public:
  Negatives(const Graph& graph, std::uint64_t seed);

  /// Memory of one thread.
  class Scratch {
    friend class Negatives;
    NodeSet taken;                     // what an example must not draw
    std::vector<std::uint32_t> words;  // random ones
  };

  /// Asks memory for what draw() needs of a source, in two stages.
  void fetch_begin(std::int32_t source) const { targets_.fetch_begin(source); }
  void fetch_targets(std::int32_t source) const { targets_.fetch_entries(source); }
  /// `count` nodes for an edge from `source` that stands at a place of an epoch; by their numbers
  /// of edges or uniformly. All -1 where there are none.
  void draw(std::int32_t source, std::uint64_t place, std::uint32_t epoch, bool by_count, int count,
            Scratch& scratch, std::int32_t* to) const;

  /// What they are drawn by: where edges lead, and nodes by their numbers of edges.
  const Adjacency& targets() const { return targets_; }
  const AliasTable& by_count() const { return by_count_; }

 private:
  Adjacency targets_;
  AliasTable by_count_;
  std::uint64_t seed_;
  const embed_detail::WordsTable& kernels_;
};

}  // namespace mct::embed
