// Graphs whose nodes have features and labels, for graph convolutions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "apps/mct/train/sparse_matrix.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::cli::train {

/// Pairs of neighbours, each once, without direction.
using NeighbourList = std::vector<std::pair<std::int64_t, std::int64_t>>;

struct NodeGraph {
  NeighbourList edges;          // a < b
  SparseMatrix features;        // nodes, columns
  Tensor<std::int64_t> labels;  // 0 ... classes - 1
  std::int64_t classes = 2;
  /// The published split. If it is empty, a split is drawn for each seed.
  Tensor<std::int64_t> train, validation, test;
  /// How the split is drawn: with these shares (split_nodes), or, if they are 0, as Planetoid's
  /// (split_citations).
  struct Shares {
    double validation = 0, test = 0;
  } drawn;
  std::int64_t left_out = 0;  // edges to missing nodes and from nodes to themselves
  std::string name = "graph";

  std::int64_t nodes() const { return labels.numel(); }
};

/// A graph from a folder that has one, or from one of its files, in any of these forms:
/// - Planetoid's (Yang et al. 2016): ind.NAME.{x,y,tx,ty,allx,ally,graph} and ind.NAME.test.index,
///   which are pickles; no code of theirs is run. The split is the published one: training on the
///   rows of x, validation on the 500 after them, test on the indices. Isolated test nodes that are
///   in no file (Citeseer has 15) get features of zeros and the label 0, as in the reference code,
///   and are in no part.
/// - plain text: NAME.content, lines "id feature ... label", and NAME.cites, lines "id id". There
///   is no split. Edges to ids that NAME.content does not have are counted and left out.
/// - those of hyperbolic graph networks (Chami et al. 2019): read_hgcn.
/// - texts: a file that ends in .csv or .csv.gz, read_texts.
///
/// Features are as in the files. Throws IoError, naming the file and its error, for a folder that
/// has no graph or several, for sizes that do not agree, for other pickles, and for more than 2^28
/// features.
NodeGraph read_node_graph(const std::filesystem::path& path);

/// More features than this are refused.
inline constexpr std::int64_t most_features = std::int64_t(1) << 28;

/// The readers of the forms. Edges and features are as in the files.
NodeGraph read_planetoid(const std::filesystem::path& folder, const std::string& name);
NodeGraph read_citations(const std::filesystem::path& folder, const std::string& name);
/// NAME.edges.csv, lines "node,node", which number the nodes in their order; NAME.labels.npy, a
/// label 0, 1, ... for each node; NAME.feats.npz, features as scipy's save_npz writes a matrix by
/// rows. Without the last file, features are the identity.
NodeGraph read_hgcn(const std::filesystem::path& folder, const std::string& name);
/// NAME.p, networkx's Graph as a pickle. Each node has a list 'feat' of numbers; the last number is
/// to be predicted. Its class is how many of 1, 8/7 and 9/7 it reaches, minus the smallest such
/// class (Chami et al. 2019, Airport).
NodeGraph read_airport(const std::filesystem::path& folder, const std::string& name);

/// Bags of words of texts: a table with a line of names, among them "label" and "text", and perhaps
/// "split", whose values are train, validation (or val, dev) and test. Fields may be in double
/// quotes. A document is a node without neighbours. A word is text between blanks; words that occur
/// fewer than five times in all texts are left out (Yao et al. 2019). The feature of a word is the
/// number of its occurrences times log(documents / documents with the word). Labels are numbered in
/// the order of their names. If no line is for validation, the last of every ten lines for training
/// is used for it. Throws IoError with file and line.
NodeGraph read_texts(const std::filesystem::path& path);

/// S = D^(-1/2) (A + 1) D^(-1/2), where A are the edges and D the row sums of A + 1.
SparseMatrix normalized_adjacency(const NeighbourList& edges, std::int64_t nodes);

}  // namespace mct::cli::train
