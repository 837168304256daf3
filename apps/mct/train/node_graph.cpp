// Graphs whose nodes have features and labels.
#include "apps/mct/train/node_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "mctensor/error.hpp"
#include "mctensor/tensor/parallel_for.hpp"

namespace mct::cli::train {

namespace {

namespace fs = std::filesystem;

/// What stands for NAME in the file names prefix + NAME + suffix of a folder.
std::set<std::string> names_in(const fs::path& folder, const std::string& prefix,
                               const std::string& suffix) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (file.size() > prefix.size() + suffix.size() && file.starts_with(prefix) &&
        file.ends_with(suffix))
      names.insert(file.substr(prefix.size(), file.size() - prefix.size() - suffix.size()));
  }
  return names;
}

/// Sorted, each pair once with the smaller number first, without loops, which are counted.
void tidy_edges(NodeGraph& graph) {
  graph.left_out += std::int64_t(
      std::erase_if(graph.edges, [](const auto& edge) { return edge.first == edge.second; }));
  for (auto& [a, b] : graph.edges)
    if (a > b) std::swap(a, b);
  std::sort(graph.edges.begin(), graph.edges.end());
  graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
}

void divide_rows_by_sums(Tensor<double>& x) {
  const std::int64_t columns = x.size(1);
  for (std::int64_t r = 0; r < x.size(0); ++r) {
    double* const row = x.data() + r * columns;
    double sum = 0;
    for (std::int64_t c = 0; c < columns; ++c) sum += row[c];
    if (sum == 0) continue;
    for (std::int64_t c = 0; c < columns; ++c) row[c] /= sum;
  }
}

}  // namespace

NodeGraph read_node_graph(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw IoError(fmt::format("'{}' is no folder that can be read", folder.string()));
  const auto pickled = names_in(folder, "ind.", ".graph");
  const auto text = names_in(folder, "", ".content");
  if (pickled.size() + text.size() != 1)
    throw IoError(fmt::format(
        "'{}' has {} graphs: one is wanted, of files ind.NAME.graph ... or NAME.content and "
        "NAME.cites",
        folder.string(), pickled.size() + text.size()));
  NodeGraph graph = pickled.empty() ? read_citations(folder, *text.begin())
                                    : read_planetoid(folder, *pickled.begin());
  tidy_edges(graph);
  divide_rows_by_sums(graph.features);
  return graph;
}

Tensor<double> propagate(const NeighbourList& edges, std::int64_t nodes, const Tensor<double>& x,
                         int k) {
  if (x.dim() != 2 || x.size(0) != nodes)
    throw ShapeError("propagate: features of shape " + to_string(x.shape()) + " for " +
                     std::to_string(nodes) + " nodes");
  std::vector<std::vector<std::int64_t>> neighbours{std::size_t(nodes)};
  for (std::int64_t v = 0; v < nodes; ++v) neighbours[std::size_t(v)].push_back(v);
  for (const auto& [a, b] : edges) {
    neighbours[std::size_t(a)].push_back(b);
    neighbours[std::size_t(b)].push_back(a);
  }
  const auto root_degree = [&](std::int64_t v) {
    return std::sqrt(double(neighbours[std::size_t(v)].size()));
  };
  Tensor<double> from = x.contiguous();
  const std::int64_t columns = x.size(1);
  for (int step = 0; step < k; ++step) {
    Tensor<double> to({nodes, columns});
    parallel_for(nodes, double(columns) * 8, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t a = begin; a < end; ++a)
        for (const std::int64_t b : neighbours[std::size_t(a)]) {
          const double weight = 1 / (root_degree(a) * root_degree(b));
          for (std::int64_t c = 0; c < columns; ++c)
            to.data()[a * columns + c] += weight * from.data()[b * columns + c];
        }
    });
    from = to;
  }
  return from;
}

}  // namespace mct::cli::train
