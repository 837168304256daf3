// Spanning trees by Sarkar's construction, in the numbers of an embedding.
#include "mctensor/embed/combinatorial.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/base/number_in.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/embed/sarkar.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "src/embed/whole_numbers.hpp"

namespace mct::embed {
namespace {

using geometry::Integer;

/// The tree, whose nodes are named by their numbers in the graph. The extra root is number
/// node_count().
Tree spanning_tree(const Graph& graph) {
  const std::size_t count = graph.node_count();
  const std::vector<std::uint8_t> basic = basic_edges(graph);
  std::vector<std::int32_t> parents(count, -1);
  for (std::size_t i = 0; i < graph.edge_count(); ++i) {
    std::int32_t& parent = parents[std::size_t(graph.sources()[i])];
    if (basic[i] != 0 && parent < 0) parent = graph.targets()[i];
  }
  const bool one_root = std::count(parents.begin(), parents.end(), -1) == 1;
  const std::string above = one_root ? "" : std::to_string(count);
  std::vector<std::pair<std::string, std::string>> nodes;
  if (!one_root) nodes.emplace_back(above, "");
  for (std::size_t v = 0; v < count; ++v)
    nodes.emplace_back(std::to_string(v), parents[v] < 0 ? above : std::to_string(parents[v]));
  return Tree::from_parents(nodes);
}

/// Numbers of one node in planes of components.
class RowWriter {
 public:
  RowWriter(const Graph& graph, Tensor<double>& out, std::size_t node)
      : graph_(graph), out_(out), node_(std::int32_t(node)) {}

  void whole(int column, Integer x) {
    const std::int64_t bits = x.bit_length();
    if (!put_whole(std::move(x), &at(0, column), int(out_.size(0)), out_.size(1) * out_.size(2)))
      throw DomainError(
          "combinatorial_embedding: the tile of '" + std::string(graph_.name(node_)) +
          "' has a number of " + std::to_string(bits) + " bits, which " +
          std::to_string(out_.size(0)) +
          (out_.size(0) == 1 ? " component does not hold" : " components do not hold") +
          "; take more components or shorter edges");
  }
  void fraction(int column, const f64x2& x) {
    for (std::int64_t k = 0; k < std::min<std::int64_t>(out_.size(0), 2); ++k)
      at(k, column) = x.limb[k];
  }

 private:
  double& at(std::int64_t component, int column) {
    return out_.data()[(component * out_.size(1) + node_) * out_.size(2) + column];
  }

  const Graph& graph_;
  Tensor<double>& out_;
  std::int32_t node_;
};

void write_point(RowWriter row, const geometry::HTilingPoint<f64x2, 2>& x) {
  row.whole(0, x.j);
  row.whole(1, x.k[0]);
  row.fraction(2, x.z[0]);
  row.fraction(3, x.z[1]);
}

void write_point(RowWriter row, const geometry::LTilingPoint<f64x2>& x) {
  for (int i = 0; i < 9; ++i) row.whole(i, x.tile.entry(i / 3, i % 3));
  row.fraction(9, x.u[0]);
  row.fraction(10, x.u[1]);
}

template <class Plane>
void place(const Graph& graph, const CombinatorialOptions& options, Tensor<double>& out) {
  const Tree tree = spanning_tree(graph);
  const auto points =
      sarkar_embedding(Plane(f64x2(1)), tree, f64x2(options.edge_length), options.progress);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const std::string& name = tree.name(i);
    const std::size_t node = number_in<std::size_t>(name).value();
    if (node < graph.node_count()) write_point(RowWriter(graph, out, node), points[i]);
  }
}

}  // namespace

Embedding combinatorial_embedding(const Graph& graph, const CombinatorialOptions& options) {
  const EmbeddingSpace space{options.storage, 2, options.components, 1, 1};
  space.check();
  if (!(options.edge_length > 0) || !std::isfinite(options.edge_length))
    throw DomainError("combinatorial_embedding: edges of length " +
                      number_text(options.edge_length));
  if (graph.node_count() == 0) throw DomainError("combinatorial_embedding: a graph without nodes");
  Tensor<double> coordinates(
      {options.components, std::int64_t(graph.node_count()), space.columns()});
  if (options.storage == PointStorage::h_tiling) {
    place<geometry::HTiling<f64x2, 2>>(graph, options, coordinates);
  } else if (options.storage == PointStorage::l_tiling) {
    place<geometry::LTiling<f64x2>>(graph, options, coordinates);
  } else {
    throw DomainError("combinatorial_embedding: " + std::string(name_of(options.storage)) +
                      " is not a tiling; expected h-tiling or l-tiling");
  }
  return Embedding(graph.names(), space, coordinates);
}

}  // namespace mct::embed
