// Trees with named nodes, and functions that read them from files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace mct::embed {

/// A rooted tree. Nodes are numbered depth first; the root is 0. Children keep the order in which
/// they were given. Functions with the argument `node` throw DomainError for a number that is not a
/// node.
class Tree {
 public:
  /// Makes a tree from pairs of a node's name and its parent's name ("" for the root). Throws
  /// DomainError for a name that is given twice, a parent that is not a node, several roots or no
  /// root, and a cycle. The message names the node, if there is one.
  static Tree from_parents(const std::vector<std::pair<std::string, std::string>>& node_and_parent);

  std::size_t size() const { return parent_.size(); }
  /// The parent's number; -1 for the root.
  std::int32_t parent(std::size_t node) const { return parent_[checked("parent", node)]; }
  const std::string& name(std::size_t node) const { return name_[checked("name", node)]; }
  const std::vector<std::int32_t>& children(std::size_t node) const {
    return children_[checked("children", node)];
  }
  /// The number of edges from a node to the root.
  int depth(std::size_t node) const { return depth_[checked("depth", node)]; }
  /// The largest number of edges at a node, the edge to its parent included.
  std::size_t largest_degree() const;
  int largest_depth() const;

 private:
  Tree() = default;  // no nodes; only functions of this class use it
  std::size_t checked(const char* function, std::size_t node) const {
    if (node >= size()) fail_without_node(function, node);
    return node;
  }
  [[noreturn]] void fail_without_node(const char* function, std::size_t node) const;

  std::vector<std::int32_t> parent_;
  std::vector<std::string> name_;
  std::vector<std::vector<std::int32_t>> children_;
  std::vector<int> depth_;
};

/// Reads a tree from lines "parent child". Names have no white space and no quotes; blanks, a tab,
/// a comma or a semicolon separate them. Empty lines and text after a # are ignored. So is a first
/// line with usual names of columns (read_graph.hpp lists them). The root is the only name that is
/// not a child. The file may be compressed by gzip. For graphs that are not trees use read_graph.
///
/// Throws IoError with the file, the line and the reason for: a line without exactly two names,
/// with a quote or a NUL byte, or of more than 1 MiB; a header with the child in front; a name that
/// read_graph refuses; a child with two parents; a cycle; several roots.
Tree read_edge_list(const std::filesystem::path& path);

/// Reads the tree of WordNet's noun concepts from the file data.noun of a directory (Debian's
/// wordnet-base: /usr/share/wordnet). The tree has the synset (concept) "entity" and every synset
/// below it. The parent of a synset is the first hypernym (pointer @) in its line. Instances, which
/// have only the pointer @i, are left out. So are the 16 synsets below an instance. With WordNet
/// 3.0 the tree has the 74374 nodes of Yu 2024, and 74373 of the 75834 hypernym edges that Yu uses.
/// A node's name is the synset's first word and its offset in the file, "dog.02084071".
///
/// Throws IoError with the file, the line and the reason.
Tree read_wordnet_nouns(const std::filesystem::path& directory);

}  // namespace mct::embed
