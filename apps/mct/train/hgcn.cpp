// Graphs in the files of hyperbolic graph networks: tables, numpy's arrays, networkx's pickles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "apps/mct/train/node_graph.hpp"
#include "apps/mct/train/pickle.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/base/zip_file.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/npy.hpp"

namespace mct::cli::train {

namespace {

namespace fs = std::filesystem;

/// Returns the number of nodes.
std::int64_t read_edges(const fs::path& path, NeighbourList& edges) {
  TextLines lines(path);
  std::unordered_map<std::string, std::int64_t> nodes;
  const auto node = [&](std::string_view name) {
    return nodes.try_emplace(std::string(name), std::int64_t(nodes.size())).first->second;
  };
  for (std::string_view line; lines.next(line);) {
    if (line.empty()) continue;
    const std::size_t comma = line.find(',');
    if (comma == 0 || comma == std::string_view::npos || comma + 1 == line.size() ||
        line.find(',', comma + 1) != std::string_view::npos)
      lines.fail(shortened(line) + " is not node,node");
    const std::int64_t from = node(line.substr(0, comma));
    edges.emplace_back(from, node(line.substr(comma + 1)));
  }
  if (edges.empty()) throw IoError(lines.name() + ": no edges");
  return std::int64_t(nodes.size());
}

/// Labels 0, 1, ... of `nodes` nodes. Raises `classes` to the number of classes.
Tensor<std::int64_t> read_labels(const fs::path& path, std::int64_t nodes, std::int64_t& classes) {
  const InputFile file(path);
  const auto numbers = npy_numbers(file.content(), file.name());
  if (numbers.dim() != 1 || numbers.size(0) != nodes)
    throw IoError(fmt::format("{}: labels of shape {} for {} nodes", file.name(),
                              to_string(numbers.shape()), nodes));
  constexpr double most_classes = 1e6;
  Tensor<std::int64_t> labels(Shape{nodes});
  for (std::int64_t v = 0; v < nodes; ++v) {
    const double label = numbers.at({v});
    if (!(label >= 0 && label < most_classes) || label != std::floor(label))
      throw IoError(fmt::format("{}: label {} is {}, which is no class", file.name(), v, label));
    labels.data()[v] = std::int64_t(label);
    classes = std::max(classes, std::int64_t(label) + 1);
  }
  return labels;
}

/// A matrix by rows or by columns that scipy's save_npz has written.
SparseMatrix read_features(const fs::path& path, std::int64_t nodes) {
  const ZipFile archive(path);
  const auto part = [&](const std::string& name) {
    const std::string member = name + ".npy";
    return npy_numbers(archive.content(member), archive.name() + ", " + member).values();
  };
  const std::string format = archive.content("format.npy");
  const bool by_columns = format.ends_with("csc");
  if (!by_columns && !format.ends_with("csr"))
    throw IoError(archive.name() + ": a sparse matrix that is neither csr nor csc");
  const auto shape = part("shape");
  if (shape.size() != 2 || shape[0] != double(nodes) || !(shape[1] >= 1) ||
      !(shape[0] * shape[1] <= double(most_features)))
    throw IoError(fmt::format("{}: features of shape ({}) for {} nodes; at most 2^28 are read",
                              archive.name(), fmt::join(shape, ", "), nodes));
  const auto columns = std::int64_t(shape[1]);
  const auto rows = sparse_of(by_columns ? columns : nodes, by_columns ? nodes : columns,
                              part("indptr"), part("indices"), part("data"), archive.name());
  for (const double x : rows.values)
    if (!std::isfinite(x)) throw IoError(fmt::format("{}: a feature is {}", archive.name(), x));
  return by_columns ? transposed(rows) : rows;
}

using Kind = PickleValue::Kind;

/// Reads the parts of networkx's Graph.
class AirportReader {
 public:
  explicit AirportReader(const fs::path& path) : pickle_(path) {}

  NodeGraph graph() {
    NodeGraph graph;
    const PickleValue& nodes = state_entry("_node");
    std::vector<double> last;  // the last feature of each node
    for (std::size_t i = 0; i + 1 < nodes.items.size(); i += 2) {
      numbers_[integer(pickle_[nodes.items[i]])] = std::int64_t(last.size());
      const auto features = features_of(pickle_[nodes.items[i + 1]]);
      const auto columns = std::int64_t(features.size()) - 1;
      if (columns < 1 || (!last.empty() && columns != graph.features.columns))
        pickle_.fail(fmt::format(
            "node number {} has {} features; all nodes must have the same number, at least 1",
            last.size(), features.size()));
      if (std::int64_t(last.size()) >= most_features / columns)
        pickle_.fail("more than 2^28 features");
      graph.features.columns = columns;
      for (std::int64_t c = 0; c < columns; ++c) graph.features.add(c, features[std::size_t(c)]);
      graph.features.end_row();
      last.push_back(features.back());
    }
    if (numbers_.size() != last.size()) pickle_.fail("a node occurs twice");
    label(graph, last);
    read_neighbours(graph);
    return graph;
  }

 private:
  const PickleValue& state_entry(const std::string& key) const {
    const PickleValue& root = pickle_.root();
    if (root.kind != Kind::object) pickle_.fail("the value is not a graph of networkx");
    const PickleValue* const entry = pickle_.find(pickle_[root.state].items, key);
    if (entry == nullptr || entry->kind != Kind::dict)
      pickle_.fail("a graph of networkx without the dictionary '" + key + "'");
    return *entry;
  }
  std::int64_t integer(const PickleValue& value) const {
    if (value.kind != Kind::integer) pickle_.fail("a node that is not an integer");
    return value.integer;
  }
  std::vector<double> features_of(const PickleValue& attributes) const {
    const PickleValue* const list = pickle_.find(attributes.items, "feat");
    if (list == nullptr || list->kind != Kind::list) pickle_.fail("a node without a list 'feat'");
    std::vector<double> features;
    features.reserve(list->items.size());
    for (const std::uint32_t i : list->items) {
      const PickleValue& x = pickle_[i];
      if ((x.kind != Kind::real && x.kind != Kind::integer) || !std::isfinite(x.real))
        pickle_.fail("a feature that is not a finite number");
      features.push_back(x.kind == Kind::real ? x.real : double(x.integer));
    }
    return features;
  }
  void label(NodeGraph& graph, const std::vector<double>& last) const {
    constexpr double limits[] = {1, 8.0 / 7, 9.0 / 7};
    std::vector<std::int64_t> classes;
    classes.reserve(last.size());
    for (const double x : last)
      classes.push_back(std::count_if(std::begin(limits), std::end(limits),
                                      [&](double limit) { return x >= limit; }));
    if (classes.empty()) pickle_.fail("a graph without nodes");
    const auto [least, most] = std::minmax_element(classes.begin(), classes.end());
    const std::int64_t first = *least;
    graph.classes = *most - first + 1;
    if (graph.classes < 2) pickle_.fail("all nodes are of one class");
    for (auto& x : classes) x -= first;
    graph.labels = Tensor<std::int64_t>::from_values(classes);
  }
  void read_neighbours(NodeGraph& graph) const {
    const auto number = [&](const PickleValue& node) {
      const auto found = numbers_.find(integer(node));
      if (found == numbers_.end())
        pickle_.fail(fmt::format("neighbours of {}, which is not a node", node.integer));
      return found->second;
    };
    const PickleValue& all = state_entry("_adj");
    for (std::size_t i = 0; i + 1 < all.items.size(); i += 2) {
      const std::int64_t from = number(pickle_[all.items[i]]);
      const PickleValue& neighbours = pickle_[all.items[i + 1]];
      if (neighbours.kind != Kind::dict) pickle_.fail("neighbours that are no dictionary");
      if (graph.edges.size() + neighbours.items.size() > std::size_t(most_features))
        pickle_.fail("more than 2^28 neighbours");
      for (std::size_t j = 0; j + 1 < neighbours.items.size(); j += 2)
        graph.edges.emplace_back(from, number(pickle_[neighbours.items[j]]));
    }
  }

  Pickle pickle_;
  std::unordered_map<std::int64_t, std::int64_t> numbers_;
};

}  // namespace

NodeGraph read_hgcn(const fs::path& folder, const std::string& name) {
  NodeGraph graph;
  graph.classes = 2;
  const std::int64_t nodes = read_edges(folder / (name + ".edges.csv"), graph.edges);
  graph.labels = read_labels(folder / (name + ".labels.npy"), nodes, graph.classes);
  std::error_code ignored;
  if (const fs::path features = folder / (name + ".feats.npz"); fs::exists(features, ignored))
    graph.features = read_features(features, nodes);
  graph.drawn = {.validation = 0.1, .test = 0.6};
  return graph;
}

NodeGraph read_airport(const fs::path& folder, const std::string& name) {
  NodeGraph graph = AirportReader(folder / (name + ".p")).graph();
  graph.drawn = {.validation = 0.15, .test = 0.15};
  return graph;
}

}  // namespace mct::cli::train
