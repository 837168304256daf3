// Edge lists as options of commands.
#pragma once

#include <memory>
#include <string>

#include "mctensor/graph/read_hierarchy.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace mct::cli {

/// A file with a hierarchy, an edge list or another form, and how to read it.
struct EdgeList {
  std::string file;
  embed::HierarchyOptions options;
};

/// Adds the file, as the argument "FILE" (which must be given) or an option such as "--edges", and
/// the options that say how to read it. Returns the option of the file.
CLI::Option* add_edge_list(CLI::App& command, const std::string& name, EdgeList& list);

/// Reads the list, and prints a summary. Shows a progress bar.
embed::Graph load_graph(const EdgeList& list);

/// The nodes and edges of a list by their numbers in `names`, the names of `owner`. Throws
/// DomainError with both files if names are missing.
embed::Graph load_graph(const EdgeList& list, const std::shared_ptr<const embed::NameTable>& names,
                        const std::string& owner);

/// The nodes that have an edge.
embed::Graph connected_nodes(const embed::Graph& graph);

/// Writes a graph as an edge list (embed::write_graph), and says so. Shows a progress bar.
void write_graph(const std::string& path, const embed::Graph& graph);

}  // namespace mct::cli
