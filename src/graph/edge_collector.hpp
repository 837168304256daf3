// Edges between names, on their way to a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// Collects the edges of a graph, wherever they come from: the one place that checks names. Nodes
/// are numbered in the order in which their names come. Names are looked up some hundred at a time:
/// one by one, each would wait for memory.
class EdgeCollector {
 public:
  /// The place of an edge is a number that the caller understands: a line, or a place in a list.
  /// `fail` throws an error with the fault at such a place.
  using Fail = std::function<void(std::size_t place, const std::string& what)>;

  /// `parent_first`: an edge leads to the first of its two names.
  EdgeCollector(bool weighted, bool parent_first, Fail fail)
      : weighted_(weighted), parent_first_(parent_first), fail_(std::move(fail)) {}

  /// An edge. From a node to itself it is counted and left out, but the node is there. A wrong name
  /// may be found with a later edge; the error names the first wrong one.
  void add(std::string_view first, std::string_view second, std::size_t place, double weight = 1);
  /// Looks up the remaining names. Wrong edges that were added before fail here at the latest.
  void flush();
  /// The graph of all edges. Of an edge that was added several times the first one counts, with its
  /// weight.
  Graph graph();

  std::uint64_t added() const { return added_; }
  std::uint64_t self_loops() const { return self_loops_; }
  /// The number of edges that graph() has left out.
  std::uint64_t duplicates() const { return duplicates_; }

 private:
  struct Pending {
    std::string characters;               // of the names
    std::vector<std::size_t> ends;        // of the names: two for each edge
    std::vector<std::size_t> places;      // of the edges
    std::vector<double> weights;          // of the edges
    std::vector<std::string_view> names;  // made from characters and ends
    std::vector<std::int32_t> numbers;    // of the names
  };

  void add_name(std::string_view name);
  void check_names();

  bool weighted_;
  bool parent_first_;
  Fail fail_;
  std::shared_ptr<NameTable> names_ = std::make_shared<NameTable>();
  std::size_t checked_ = 0;  // names that are known to be well formed
  Pending pending_;
  std::vector<std::int32_t> sources_;
  std::vector<std::int32_t> targets_;
  std::vector<double> weights_;
  std::uint64_t added_ = 0;
  std::uint64_t self_loops_ = 0;
  std::uint64_t duplicates_ = 0;
};

}  // namespace mct::embed
