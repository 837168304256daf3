// Trees from edge lists and from WordNet's data.noun.
#include "mctensor/graph/tree.hpp"

#include <string>

#include "fuzz/target.hpp"
#include "mctensor/error.hpp"

namespace mct::fuzz {
namespace {

using embed::Tree;

void check(const Tree& tree) {
  require(tree.size() > 0 && tree.parent(0) < 0 && tree.depth(0) == 0, "node 0 is the root");
  std::size_t edges = 0;
  for (std::size_t node = 0; node < tree.size(); ++node)
    for (const std::int32_t child : tree.children(node)) {
      const auto below = std::size_t(child);
      require(below > node && below < tree.size(), "a parent comes before its children");
      require(tree.parent(below) == std::int32_t(node), "a child knows its parent");
      require(tree.depth(below) == tree.depth(node) + 1, "a child is one edge deeper");
      ++edges;
    }
  require(edges + 1 == tree.size(), "every node but the root is a child");
  require(tree.largest_degree() <= edges && std::size_t(tree.largest_depth()) <= edges,
          "no more than all edges are at a node or on a way");
}

std::string edge_list(const Tree& tree) {
  std::string text;
  for (std::size_t node = 1; node < tree.size(); ++node)
    text += tree.name(std::size_t(tree.parent(node))) + ' ' + tree.name(node) + '\n';
  return text;
}

void read_edges(const std::filesystem::path& path) {
  try {
    const Tree tree = embed::read_edge_list(path);
    check(tree);
    const std::string text = edge_list(tree);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    const Tree again = embed::read_edge_list(as_file("edges", bytes, text.size()));
    require(edge_list(again) == text, "a tree survives being written and read");
  } catch (const IoError&) {
    return;
  }
}

void read_nouns(const std::filesystem::path& directory) {
  try {
    check(embed::read_wordnet_nouns(directory));
  } catch (const IoError&) {
    return;
  }
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  const SeedWriter write{directory};
  const Tree tree = Tree::from_parents(
      {{"root", ""}, {"left", "root"}, {"right", "root"}, {"leaf", "left"}, {"deep", "leaf"}});
  write("edges", edge_list(tree));
  write("separators", "# a comment\r\na,b\r\n\r\na\tc # another\nc d");
  write("circle", "a b\nb c\nc a\n");
  write("nouns",
        "  1 the licence\n"
        "00001740 03 n 01 entity 0 001 ~ 00001930 n 0000 | all that is\n"
        "00001930 03 n 01 physical_entity 0 001 @ 00001740 n 0000 | a body\n"
        "00002137 03 n 02 abstraction 0 abstract_entity 0 002 @ 00001740 n 0000 + 00692329 v 0101 "
        "| thought\n"
        "00004475 03 n 01 being 0 001 @i 00001930 n 0000 | one\n");
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = mct::fuzz::as_file("data.noun", data, size);
  mct::fuzz::read_edges(path);
  mct::fuzz::read_nouns(path.parent_path());
  return 0;
}
