// Splits the edges of a hierarchy for training, validation and test.
#pragma once

#include <cstdint>
#include <filesystem>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

struct SplitOptions {
  double percent = 50;     ///< how many of the edges that are not basic are trained
  double validation = 5;   ///< how many of them are held out for validation
  double test = 5;         ///< how many of them are held out for the test
  std::uint64_t seed = 0;  ///< seed of the choice
};

/// Three graphs of the same nodes. Their edges have the order and the weights of the split graph.
struct EdgeSplit {
  Graph train;
  Graph validation;
  Graph test;
};

/// Training gets all basic edges and `percent` of the others; `validation` and `test` per cent of
/// the others are held out. Held-out edges follow from the trained ones. `graph` should be a
/// closure: if no edge follows from others, nothing is held out. Numbers of edges are rounded down.
/// The held-out edges depend on the seed alone, not on `percent`. A larger percentage trains all
/// edges of a smaller one.
///
/// Throws DomainError for a percentage below 0, for percentages whose sum is above 100, and for a
/// graph with a cycle, which the message names. Source: Ganea, Bécigneul, Hofmann 2018, section 5.
EdgeSplit split_edges(const Graph& graph, const SplitOptions& options = {});

/// Splits in files, in the format in which Ganea et al. 2018 and Yu 2024 publish splits of WordNet,
/// MCG and Hearst: `prefix`.train_PERCENTpercent, `prefix`.valid and `prefix`.test, with an
/// ancestor and a descendant in each line. The closure is the closure of the basic edges,
/// `prefix`.train_0percent. Throws IoError as read_graph and, in read_split, for edges that the
/// closure does not have.
Graph read_split_closure(const std::filesystem::path& prefix);
EdgeSplit read_split(const std::filesystem::path& prefix, double percent, const Graph& closure);

/// The graph without its roots and without nodes that have no edges once the roots are gone. A root
/// has edges that lead to it but none that lead away from it. In a closure, an edge to the root
/// tells nothing, because everything is below it (Ganea, Bécigneul, Hofmann 2018 leave it out).
Graph without_roots(const Graph& graph);

}  // namespace mct::embed
