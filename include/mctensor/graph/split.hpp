// The edges of a hierarchy for training, for choices and for the last word.
#pragma once

#include <cstdint>
#include <filesystem>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

struct SplitOptions {
  double percent = 50;     ///< of the edges that are not basic: so many are trained
  double validation = 5;   ///< likewise: held out for choices
  double test = 5;         ///< held out for the last word
  std::uint64_t seed = 0;  ///< of what goes where
};

/// Among the same nodes; edges in the order of the graph, with their weights.
struct EdgeSplit {
  Graph train;
  Graph validation;
  Graph test;
};

/// All basic edges and `percent` of the others are for training, `validation` and `test` per cent
/// of the others are held out: they follow from the trained ones, so that who has learned these
/// knows them. `graph` should be a closure: in one without edges that follow from others nothing is
/// held out. Numbers are rounded down. The held-out edges depend on the seed alone and not on
/// `percent`, and those that a smaller percentage trains, a larger one does too.
///
/// Throws DomainError for percentages below 0 or of more than 100 in all, and, naming a cycle, for
/// a graph that has one. Source: Ganea, Bécigneul, Hofmann 2018, section 5.
EdgeSplit split_edges(const Graph& graph, const SplitOptions& options = {});

/// Splits in files, as Ganea et al. 2018 and Yu 2024 publish theirs of WordNet, MCG and Hearst:
/// `prefix`.train_PERCENTpercent, `prefix`.valid and `prefix`.test, with an ancestor and a
/// descendant in each line. The closure is that of the basic edges, `prefix`.train_0percent. Throws
/// IoError as read_graph and, in read_split, for edges that the closure does not have.
Graph read_split_closure(const std::filesystem::path& prefix);
EdgeSplit read_split(const std::filesystem::path& prefix, double percent, const Graph& closure);

/// The graph without the nodes that have edges to them and none from them, and without nodes that
/// no edge is left of. Of a closure, an edge to its root says nothing: everything is below it
/// (Ganea, Bécigneul, Hofmann 2018 leave it out).
Graph without_roots(const Graph& graph);

}  // namespace mct::embed
