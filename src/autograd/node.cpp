// The backward pass: order of the nodes, freeing of the graph, both without recursion.
#include "mctensor/autograd/node.hpp"

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "mctensor/error.hpp"

namespace mct {

namespace {

thread_local bool recording = true;

}  // namespace

bool grad_enabled() { return recording; }

NoGradGuard::NoGradGuard() : before_(recording) { recording = false; }
NoGradGuard::~NoGradGuard() { recording = before_; }

namespace autograd_detail {

namespace {

using Nodes = std::vector<std::shared_ptr<Node>>;

std::atomic<std::uint64_t> next_sequence{0};

/// Nodes that are being destroyed wait here instead of on the stack.
thread_local Nodes* waiting = nullptr;

void destroy(Nodes&& nodes) {
  if (nodes.empty()) return;
  if (waiting != nullptr) {
    for (auto& node : nodes)
      if (node) waiting->push_back(std::move(node));
    return;
  }
  Nodes queue = std::move(nodes);
  waiting = &queue;
  while (!queue.empty()) {
    const auto node = std::move(queue.back());
    queue.pop_back();
  }
  waiting = nullptr;
}

/// The nodes that the gradient passes through, each before its inputs.
Nodes backward_order(const std::shared_ptr<Node>& root) {
  Nodes order{root};
  std::unordered_set<const Node*> seen{root.get()};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node& node = *order[i];
    if (node.released)
      throw DomainError(
          "backward: the graph was freed by an earlier backward(); call the earlier one with "
          "retain_graph = true");
    const std::size_t count = node.inputs.size();
    for (std::size_t k = 0; k < count; ++k)
      if (const auto& next = order[i]->inputs[k]; next && seen.insert(next.get()).second)
        order.push_back(next);
  }
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a->sequence > b->sequence; });
  return order;
}

/// Leaves with a hook, and how many operations have yet to give them their part of the gradient.
class HookedLeaves {
 public:
  explicit HookedLeaves(const Nodes& order) {
    for (const auto& node : order)
      for (const auto& input : node->inputs)
        if (input && input->on_gradient) ++missing_[input.get()];
  }

  /// The leaves whose gradients are complete once this node has passed its gradient on.
  Nodes complete_after(const std::shared_ptr<Node>& node, const std::shared_ptr<Node>& root) {
    Nodes complete;
    if (node == root && node->is_leaf && node->on_gradient) complete.push_back(node);
    if (missing_.empty()) return complete;
    for (const auto& input : node->inputs)
      if (input && input->on_gradient && --missing_[input.get()] == 0) complete.push_back(input);
    return complete;
  }

 private:
  std::unordered_map<const Node*, std::size_t> missing_;
};

}  // namespace

Node::Node() : sequence(next_sequence.fetch_add(1, std::memory_order_relaxed)) {}

Node::~Node() { destroy(std::move(inputs)); }

void Node::release() {
  released = true;
  destroy(std::exchange(inputs, {}));
}

void run_backward(const std::shared_ptr<Node>& root, bool retain_graph) {
  Nodes order;
  try {
    order = backward_order(root);
    HookedLeaves leaves(order);
    for (auto& node : order) {
      const Nodes complete = leaves.complete_after(node, root);
      node->propagate();
      node->drop_gradient();
      if (!retain_graph && !node->is_leaf) node->release();
      if (!retain_graph) node.reset();  // its value, too, goes as soon as nobody needs it
      for (const auto& leaf : complete) leaf->on_gradient();
    }
  } catch (...) {
    // gradients on their way would be added to those of the next pass
    root->drop_gradient();
    for (auto& node : order)
      if (node) node->drop_gradient();
    throw;
  }
}

}  // namespace autograd_detail
}  // namespace mct
