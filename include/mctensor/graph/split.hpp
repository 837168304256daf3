// Splits the edges of a hierarchy for training, validation and test.
#pragma once

#include <cstdint>
#include <filesystem>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

struct SplitOptions {
  double percent = 50;     ///< trained share of the edges that are not basic, in per cent
  double validation = 5;   ///< share that is held out for validation, in per cent
  double test = 5;         ///< share that is held out for the test, in per cent
  std::uint64_t seed = 0;  ///< seed of the choice
};

/// Three graphs of the same nodes. Their edges have the order and the weights of the split graph.
struct EdgeSplit {
  Graph train;
  Graph validation;
  Graph test;
};

/// Training gets all basic edges and `percent` per cent of the others. `validation` and `test` per
/// cent of the others are held out; they follow from the trained edges. `graph` should be a
/// closure, because nothing is held out if no edge follows from others. Numbers of edges are
/// rounded down. `percent` does not change which edges are held out. A larger `percent` trains all
/// edges that a smaller one trains.
///
/// Throws DomainError for a percentage below 0, for percentages whose sum is above 100, and for a
/// graph with a cycle; the message names the cycle. Source: Ganea, Bécigneul, Hofmann 2018, section
/// 5.
EdgeSplit split_edges(const Graph& graph, const SplitOptions& options = {});

/// These functions read the format in which Ganea et al. 2018 and Yu 2024 publish splits of
/// WordNet, MCG and Hearst. A split has the files `prefix`.train_PERCENTpercent, `prefix`.valid and
/// `prefix`.test, with an ancestor and a descendant in each line. read_split_closure returns the
/// closure of the basic edges, which are in `prefix`.train_0percent. Both throw IoError as
/// read_graph does. read_split throws it, too, for edges that the closure does not have.
Graph read_split_closure(const std::filesystem::path& prefix);
EdgeSplit read_split(const std::filesystem::path& prefix, double percent, const Graph& closure);

/// The graph without its roots and without nodes that have no edges once the roots are gone. A root
/// has edges that lead to it but none that lead away from it. In a closure, an edge to the root
/// tells nothing, because everything is below it (Ganea, Bécigneul, Hofmann 2018 leave it out).
Graph without_roots(const Graph& graph);

}  // namespace mct::embed
