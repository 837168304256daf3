// Directed graphs with named nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/graph/name_table.hpp"

namespace mct::embed {

/// A directed graph: names of nodes, and edges as two columns of node numbers. In a hierarchy an
/// edge leads from the special to the general, from a child to its parent or ancestor. A graph
/// takes 8 bytes an edge (16 with weights), and its names.
class Graph {
 public:
  Graph() : Graph(std::make_shared<const NameTable>(), {}, {}) {}
  /// Edge i leads from sources[i] to targets[i]; without weights all weights are 1. Throws
  /// ShapeError if the columns differ in length. Throws DomainError if `names` is null. Throws
  /// DomainError, which names the edge, for a number that is not a node and for a weight that is
  /// not finite and >= 0.
  Graph(std::shared_ptr<const NameTable> names, std::vector<std::int32_t> sources,
        std::vector<std::int32_t> targets, std::vector<double> weights = {});

  std::size_t node_count() const { return names_->size(); }
  std::size_t edge_count() const { return sources_.size(); }

  /// Throws DomainError for a number that is not a node.
  std::string_view name(std::int32_t node) const { return names_->name(node); }
  /// The number of the node of this name; -1 if there is none.
  std::int32_t find(std::string_view name) const { return names_->find(name); }
  /// A graph that is made from the edges of another graph shares its names.
  const std::shared_ptr<const NameTable>& names() const { return names_; }

  const std::vector<std::int32_t>& sources() const { return sources_; }
  const std::vector<std::int32_t>& targets() const { return targets_; }
  bool has_weights() const { return !weights_.empty(); }
  const std::vector<double>& weights() const { return weights_; }
  /// The weight of an edge; 1 if the graph has no weights. The function does not check that edge <
  /// edge_count(), because it serves loops over edges.
  double weight(std::size_t edge) const { return has_weights() ? weights_[edge] : 1; }

 private:
  std::shared_ptr<const NameTable> names_;
  std::vector<std::int32_t> sources_;
  std::vector<std::int32_t> targets_;
  std::vector<double> weights_;  // empty, or one for each edge
};

/// For every node a row of other nodes in ascending order, as compressed sparse rows: 8 bytes a
/// node and 4 bytes an entry.
class Adjacency {
 public:
  /// Edge i leads from node from[i] to node to[i]; all numbers are below `nodes`. Row v has the
  /// targets of all edges from v. If `both`, it also has the sources of all edges to v.
  Adjacency(std::size_t nodes, const std::vector<std::int32_t>& from,
            const std::vector<std::int32_t>& to, bool both = false);

  std::size_t size() const { return begin_.size() - 1; }
  /// The row of a node. This function and the next ones do not check that 0 <= node < size(),
  /// because they serve loops over edges.
  std::span<const std::int32_t> operator[](std::int32_t node) const {
    const auto v = std::size_t(node);
    return {entries_.data() + begin_[v], begin_[v + 1] - begin_[v]};
  }
  /// All rows, one after the other: row v begins at begins()[v] and ends at begins()[v + 1].
  const std::vector<std::int32_t>& entries() const { return entries_; }
  const std::vector<std::size_t>& begins() const { return begin_; }
  /// True if the row of `from` holds `to`. It searches in the sorted row.
  bool contains(std::int32_t from, std::int32_t to) const;
  /// Prefetches a row: first the place where it begins, later its entries.
  void fetch_begin(std::int32_t node) const { __builtin_prefetch(begin_.data() + node); }
  void fetch_entries(std::int32_t node) const {
    __builtin_prefetch(entries_.data() + begin_[std::size_t(node)]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::int32_t> entries_;
};

/// For each node the targets of its edges.
Adjacency successors(const Graph& graph);
/// For each node the sources of the edges that lead to it.
Adjacency predecessors(const Graph& graph);
/// Successors and predecessors of each node. If two nodes have edges in both directions, each
/// occurs twice in the row of the other.
Adjacency neighbours(const Graph& graph);

/// A hash of a graph's number of nodes and of all edges with their weights, in order. The hash does
/// not depend on the names; the second function hashes names.
std::string fingerprint(const Graph& graph);
std::string fingerprint(const NameTable& names);

/// The edges of `graph` for which keep[i] is not 0, in the same order, among the same nodes.
Graph edges_where(const Graph& graph, const std::vector<std::uint8_t>& keep);

/// The nodes for which keep[v] is not 0, numbered anew in the same order, and the edges among them.
Graph nodes_where(const Graph& graph, const std::vector<std::uint8_t>& keep);

/// The same edges among the nodes of `names`; nodes are found by their names. Throws DomainError if
/// `names` is null or lacks nodes; the message has the first missing node and the number of missing
/// nodes.
Graph renumbered(const Graph& graph, const std::shared_ptr<const NameTable>& names);

/// Writes a line "source<TAB>target" for each edge, and "<TAB>weight" if there are weights. The
/// file is compressed if its name ends in ".gz". A node without edges becomes the line
/// "name<TAB>name". A name that begins like a quote or a comment is quoted. If the first edge looks
/// like a header, a header is written before it. read_graph reads the same names, edges and
/// weights. The file is replaced as a whole (see AtomicFile). Throws IoError, also for names that
/// read_graph refuses, and for a file name that ends like a file of another compression than gzip.
/// progress(n) tells how many edges are written.
void write_graph(const std::filesystem::path& path, const Graph& graph,
                 const std::function<void(std::size_t)>& progress = {});

}  // namespace mct::embed
