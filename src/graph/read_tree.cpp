// Trees from edge lists.
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/read_graph.hpp"
#include "mctensor/graph/tree.hpp"
#include "src/graph/checked_tree.hpp"
#include "src/graph/column_names.hpp"
#include "src/graph/node_names.hpp"

namespace mct::embed {
namespace {

/// Whether the two words are usual names of columns, which must not say the opposite.
bool is_header(const TextLines& lines, const std::vector<std::string_view>& words) {
  if (const std::string problem = problem_of_header(words[0], words[1], true); !problem.empty())
    lines.fail(problem);
  return column_names(words[0], words[1]) == ColumnNames::parent_first;
}

}  // namespace

Tree read_edge_list(const std::filesystem::path& path) {
  TextLines lines(path);
  struct Node {
    std::string parent;
    std::size_t line = 0;  // where it is a child
  };
  std::vector<std::string> order;
  std::unordered_map<std::string, Node> nodes;
  const auto enter = [&](std::string_view name) -> Node& {
    const auto [at, fresh] = nodes.try_emplace(std::string(name));
    if (fresh) order.emplace_back(name);
    return at->second;
  };
  std::string_view line;
  for (bool first = true; lines.next(line);) {
    const auto words = words_of(line.substr(0, line.find('#')), " \t,;\r");
    if (words.empty()) continue;
    if (line.find('"') < std::string_view::npos)
      lines.fail("a quote, which is not allowed in names of this list: " + shortened(line));
    if (words.size() != 2)
      lines.fail("'parent child' expected, found " + std::to_string(words.size()) + " words in " +
                 shortened(line));
    if (std::exchange(first, false) && is_header(lines, words)) continue;
    for (const std::string_view word : words)
      if (const std::string problem = problem_of_name(word); !problem.empty()) lines.fail(problem);
    enter(words[0]);
    Node& child = enter(words[1]);
    if (child.line != 0)
      lines.fail("the node " + shortened(words[1]) + " has a parent already, '" + child.parent +
                 "' in line " + std::to_string(child.line));
    child.parent = words[0];
    child.line = lines.number();
  }
  if (order.empty()) throw IoError(lines.name() + " has no edges");
  std::vector<std::pair<std::string, std::string>> list;
  list.reserve(order.size());
  for (const std::string& name : order) list.emplace_back(name, nodes[name].parent);
  return checked_tree(lines.name(), list);
}

}  // namespace mct::embed
