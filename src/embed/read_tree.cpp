// Trees from edge lists.
#include <string>
#include <string_view>
#include <unordered_map>

#include "mctensor/embed/tree.hpp"
#include "mctensor/error.hpp"
#include "src/embed/checked_tree.hpp"
#include "src/embed/node_names.hpp"
#include "src/embed/text_lines.hpp"

namespace mct::embed {

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
  while (lines.next(line)) {
    const auto words = words_of(line.substr(0, line.find('#')), " \t,\r");
    if (words.empty()) continue;
    if (words.size() != 2)
      lines.fail("'parent child' expected, found " + std::to_string(words.size()) + " words in " +
                 shortened(line));
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
  if (order.empty()) throw IoError(lines.name() + ": no edges");
  std::vector<std::pair<std::string, std::string>> list;
  list.reserve(order.size());
  for (const std::string& name : order) list.emplace_back(name, nodes[name].parent);
  return checked_tree(lines.name(), list);
}

}  // namespace mct::embed
