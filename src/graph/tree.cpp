// Trees from lists of parents.
#include "mctensor/graph/tree.hpp"

#include <algorithm>
#include <unordered_map>

#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

[[noreturn]] void fail_without_parent(const std::string& name, const std::string& parent) {
  throw DomainError("the parent '" + parent + "' of '" + name + "' is not a node");
}

}  // namespace

Tree Tree::from_parents(const std::vector<std::pair<std::string, std::string>>& node_and_parent) {
  const std::size_t count = node_and_parent.size();
  std::unordered_map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < count; ++i)
    if (!number.emplace(node_and_parent[i].first, i).second)
      throw DomainError("the node '" + node_and_parent[i].first + "' occurs twice");
  std::vector<std::vector<std::size_t>> children(count);
  std::size_t root = count;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [name, parent] = node_and_parent[i];
    if (parent.empty()) {
      if (root != count)
        throw DomainError("two roots, '" + node_and_parent[root].first + "' and '" + name + "'");
      root = i;
      continue;
    }
    const auto at = number.find(parent);
    if (at == number.end()) fail_without_parent(name, parent);
    children[at->second].push_back(i);
  }
  if (root == count) throw DomainError("no node is the root");

  Tree tree;
  std::vector<std::int32_t> new_number(count, -1);
  std::vector<std::pair<std::size_t, std::int32_t>> open = {{root, -1}};  // node, new parent
  while (!open.empty()) {
    const auto [node, parent] = open.back();
    open.pop_back();
    const auto fresh = std::int32_t(tree.parent_.size());
    new_number[node] = fresh;
    tree.parent_.push_back(parent);
    tree.name_.push_back(node_and_parent[node].first);
    tree.children_.emplace_back();
    tree.depth_.push_back(parent < 0 ? 0 : tree.depth_[std::size_t(parent)] + 1);
    if (parent >= 0) tree.children_[std::size_t(parent)].push_back(fresh);
    for (auto child = children[node].rbegin(); child != children[node].rend(); ++child)
      open.emplace_back(*child, fresh);
  }
  if (tree.size() != count) {
    const auto lost = std::find(new_number.begin(), new_number.end(), -1) - new_number.begin();
    throw DomainError("the node '" + node_and_parent[std::size_t(lost)].first +
                      "' is its own ancestor, or below such a node");
  }
  return tree;
}

void Tree::fail_without_node(const char* function, std::size_t node) const {
  // a negative number became one that is larger than all
  throw DomainError(std::string(function) + ": node " + std::to_string(std::int64_t(node)) +
                    ", expected at least 0 and below " + std::to_string(size()));
}

std::size_t Tree::largest_degree() const {
  std::size_t most = 0;
  for (std::size_t i = 0; i < size(); ++i)
    most = std::max(most, children_[i].size() + (parent_[i] < 0 ? 0 : 1));
  return most;
}

int Tree::largest_depth() const { return *std::max_element(depth_.begin(), depth_.end()); }

}  // namespace mct::embed
