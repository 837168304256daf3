// A task on a tree: which of some leaves has the lowest common ancestor with a given one?
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/attention/streaming_attention.hpp"

namespace mct::cli::train {

/// A tree whose inner nodes have `branching` children each, and its leaves at one depth.
struct LeafTree {
  int branching = 3;
  int depth = 5;

  std::int64_t leaves() const;
  /// The depth of the lowest common ancestor of two leaves: 0 for the root, `depth` for one leaf.
  int ancestor_depth(std::int64_t a, std::int64_t b) const;
};

struct AncestorOptions {
  LeafTree tree;
  attention::Comparison comparison = attention::Comparison::dot_product;
  attention::Start start;   // of the temperature and the radius
  std::int64_t width = 16;  ///< numbers of a leaf's vector, of queries and of keys
  int keys = 16;            ///< leaves from which a query chooses
  int batch = 64;           ///< queries of a step
  int steps = 1000;
  double lr = 0.01;       ///< of Adam
  double held_out = 0.2;  ///< part of the pairs of leaves; training never sees them together
  int test_queries = 4000;
  std::uint64_t seed = 1;
};

/// A question: a leaf and other leaves, at least one of which is nearest.
struct Question {
  std::int64_t query;
  std::vector<std::int64_t> keys;
};

/// Question number `index`. The pairs of its keys with the query are all held out, or none is. The
/// question depends on seed, index and kind alone.
Question draw_question(const AncestorOptions& options, bool held_out, std::uint64_t index);

/// The per cent of held-out questions whose largest weight is at a key with the lowest common
/// ancestor, after training. The model is one attention layer, whose weights are the answer. It
/// learns vectors of leaves, matrices of queries and keys, and the parameters of the comparison.
double train_ancestors(const AncestorOptions& options);

/// The per cent of right answers by chance.
double chance(const AncestorOptions& options);

}  // namespace mct::cli::train
