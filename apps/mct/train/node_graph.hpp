// Graphs whose nodes have features and labels: what graph convolutions learn from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/tensor/tensor.hpp"

namespace mct::cli::train {

/// Pairs of neighbours, each once, without direction.
using NeighbourList = std::vector<std::pair<std::int64_t, std::int64_t>>;

struct NodeGraph {
  NeighbourList edges;          // a < b
  Tensor<double> features;      // (nodes, columns)
  Tensor<std::int64_t> labels;  // 0 ... classes - 1
  std::int64_t classes = 2;
  /// The published split, or empty: then it is drawn.
  Tensor<std::int64_t> train, validation, test;
  std::int64_t left_out = 0;  // edges to nodes that are not there, and from nodes to themselves

  std::int64_t nodes() const { return labels.numel(); }
};

/// A citation graph from a folder, in either of two forms:
/// - Planetoid's (Yang et al. 2016): ind.NAME.{x,y,tx,ty,allx,ally,graph} and ind.NAME.test.index,
///   pickles, of which no code is run. The split is the published one: training on the rows of x,
///   validation on the 500 behind them, test on the indices. Isolated test nodes that are in no
///   file (Citeseer has 15) get features of zeros and the label 0, as the reference does, and are
///   in no part.
/// - plain text: NAME.content, lines "id feature ... label", and NAME.cites, lines "id id". Without
///   a split; edges to ids that NAME.content does not have are counted and left out.
/// Rows of features are divided by their sums. Throws IoError, naming the file and what is wrong in
/// it, for a folder that has neither or several NAMEs, for sizes that do not agree, for other
/// pickles, and for more than 2^28 features.
NodeGraph read_node_graph(const std::filesystem::path& folder);

/// More features than this are refused.
inline constexpr std::int64_t most_features = std::int64_t(1) << 28;

/// The readers of the two forms: edges and features as they stand in the files.
NodeGraph read_planetoid(const std::filesystem::path& folder, const std::string& name);
NodeGraph read_citations(const std::filesystem::path& folder, const std::string& name);

/// S^k x for S = D^(-1/2) (A + 1) D^(-1/2), A the edges, D the row sums of A + 1: what simplified
/// graph convolutions see of node features x (nodes, columns). Throws ShapeError for others.
Tensor<double> propagate(const NeighbourList& edges, std::int64_t nodes, const Tensor<double>& x,
                         int k);

}  // namespace mct::cli::train
