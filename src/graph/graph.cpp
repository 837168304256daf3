// Directed graphs: checks, rows of neighbours, parts.
#include "mctensor/graph/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "src/graph/fingerprint.hpp"

namespace mct::embed {
namespace {

void check_node(std::int32_t node, std::size_t nodes, std::size_t edge) {
  if (node < 0 || std::size_t(node) >= nodes)
    throw DomainError("edge " + std::to_string(edge) + ": node " + std::to_string(node) +
                      " does not exist; the graph has " + std::to_string(nodes) +
                      " nodes, counted from 0");
}

/// Entries bucketed by their row, in the order in which they come; begin has the rows' ends after.
struct Rows {
  std::vector<std::size_t> begin;
  std::vector<std::int32_t> entries;
};

/// For each node the `to` of edges from it, stable. `each` calls its argument with (from, to).
template <class Each>
Rows bucketed(std::size_t nodes, std::size_t count, const Each& each) {
  Rows rows{std::vector<std::size_t>(nodes + 1, 0), std::vector<std::int32_t>(count)};
  each([&](std::int32_t from, std::int32_t) { ++rows.begin[std::size_t(from)]; });
  std::size_t sum = 0;
  for (std::size_t& b : rows.begin) sum += std::exchange(b, sum);
  each([&](std::int32_t from, std::int32_t to) {
    rows.entries[rows.begin[std::size_t(from)]++] = to;
  });
  // each begin has moved to its row's end
  for (std::size_t v = nodes; v > 0; --v) rows.begin[v] = rows.begin[v - 1];
  rows.begin[0] = 0;
  return rows;
}

template <class T>
std::vector<T> kept(const std::vector<T>& values, const std::vector<std::uint8_t>& keep) {
  std::vector<T> result;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (keep[i] != 0) result.push_back(values[i]);
  return result;
}

void check_names(const char* function, const std::shared_ptr<const NameTable>& names) {
  if (!names) throw DomainError(std::string(function) + ": the names are a null pointer");
}

void check_size(const char* function, std::size_t flags, std::size_t count) {
  if (flags != count)
    throw ShapeError(std::string(function) + ": " + std::to_string(flags) + " flags, expected " +
                     std::to_string(count));
}

}  // namespace

Graph::Graph(std::shared_ptr<const NameTable> names, std::vector<std::int32_t> sources,
             std::vector<std::int32_t> targets, std::vector<double> weights)
    : names_(std::move(names)),
      sources_(std::move(sources)),
      targets_(std::move(targets)),
      weights_(std::move(weights)) {
  check_names("graph", names_);
  if (targets_.size() != edge_count() || (has_weights() && weights_.size() != edge_count()))
    throw ShapeError("a graph of " + std::to_string(edge_count()) + " sources, " +
                     std::to_string(targets_.size()) + " targets and " +
                     std::to_string(weights_.size()) +
                     " weights; the numbers must be equal, but there may be no weights");
  for (std::size_t i = 0; i < edge_count(); ++i) {
    check_node(sources_[i], node_count(), i);
    check_node(targets_[i], node_count(), i);
    if (!(weight(i) >= 0) || !std::isfinite(weight(i)))
      throw DomainError("edge " + std::to_string(i) + ": the weight " + number_text(weight(i)) +
                        " is not a finite number of at least 0");
  }
}

Adjacency::Adjacency(std::size_t nodes, const std::vector<std::int32_t>& from,
                     const std::vector<std::int32_t>& to, bool both) {
  const std::size_t count = from.size() * (both ? 2 : 1);
  // sorted by the one end first, then, stable, by the other: each row is then ascending
  const Rows turned = bucketed(nodes, count, [&](const auto& add) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      add(to[i], from[i]);
      if (both) add(from[i], to[i]);
    }
  });
  Rows rows = bucketed(nodes, count, [&](const auto& add) {
    for (std::size_t v = 0; v < nodes; ++v)
      for (std::size_t i = turned.begin[v]; i < turned.begin[v + 1]; ++i)
        add(turned.entries[i], std::int32_t(v));
  });
  begin_ = std::move(rows.begin);
  entries_ = std::move(rows.entries);
}

bool Adjacency::contains(std::int32_t from, std::int32_t to) const {
  const auto row = (*this)[from];
  return std::binary_search(row.begin(), row.end(), to);
}

Adjacency successors(const Graph& graph) {
  return {graph.node_count(), graph.sources(), graph.targets()};
}

Adjacency predecessors(const Graph& graph) {
  return {graph.node_count(), graph.targets(), graph.sources()};
}

Adjacency neighbours(const Graph& graph) {
  return {graph.node_count(), graph.sources(), graph.targets(), true};
}

std::string fingerprint(const Graph& graph) {
  FingerprintHash hash;
  hash.add(graph.node_count());
  for (std::size_t e = 0; e < graph.edge_count(); ++e) {
    hash.add(std::uint64_t(std::uint32_t(graph.sources()[e])) << 32 |
             std::uint32_t(graph.targets()[e]));
    if (graph.has_weights()) hash.add(std::bit_cast<std::uint64_t>(graph.weight(e)));
  }
  return hash.text();
}

std::string fingerprint(const NameTable& names) {
  FingerprintHash hash;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names.name(std::int32_t(i));
    hash.add(name.size());  // "ab", "c" are not "a", "bc"
    for (const char c : name) hash.add(static_cast<unsigned char>(c));
  }
  return hash.text();
}

Graph edges_where(const Graph& graph, const std::vector<std::uint8_t>& keep) {
  check_size("edges_where", keep.size(), graph.edge_count());
  return {graph.names(), kept(graph.sources(), keep), kept(graph.targets(), keep),
          kept(graph.weights(), keep)};
}

Graph nodes_where(const Graph& graph, const std::vector<std::uint8_t>& keep) {
  check_size("nodes_where", keep.size(), graph.node_count());
  auto names = std::make_shared<NameTable>();
  std::vector<std::int32_t> number(graph.node_count(), -1);
  for (std::size_t v = 0; v < number.size(); ++v)
    if (keep[v] != 0) number[v] = names->enter(graph.name(std::int32_t(v))).first;
  std::vector<std::int32_t> sources;
  std::vector<std::int32_t> targets;
  std::vector<double> weights;
  for (std::size_t i = 0; i < graph.edge_count(); ++i) {
    const std::int32_t source = number[std::size_t(graph.sources()[i])];
    const std::int32_t target = number[std::size_t(graph.targets()[i])];
    if (source < 0 || target < 0) continue;
    sources.push_back(source);
    targets.push_back(target);
    if (graph.has_weights()) weights.push_back(graph.weights()[i]);
  }
  return {std::move(names), std::move(sources), std::move(targets), std::move(weights)};
}

Graph renumbered(const Graph& graph, const std::shared_ptr<const NameTable>& names) {
  check_names("renumbered", names);
  std::vector<std::int32_t> number(graph.node_count());
  std::size_t missing = 0;
  std::size_t first = 0;
  for (std::size_t v = 0; v < number.size(); ++v) {
    number[v] = names->find(graph.name(std::int32_t(v)));
    if (number[v] < 0 && missing++ == 0) first = v;
  }
  if (missing > 0)
    throw DomainError("the node '" + std::string(graph.name(std::int32_t(first))) +
                      "' is not among the " + std::to_string(names->size()) + " names; " +
                      std::to_string(missing) + " of the " + std::to_string(number.size()) +
                      " nodes are missing");
  const auto translated = [&](std::vector<std::int32_t> column) {
    for (std::int32_t& node : column) node = number[std::size_t(node)];
    return column;
  };
  return {names, translated(graph.sources()), translated(graph.targets()), graph.weights()};
}

}  // namespace mct::embed
