// The backward pass: order of the nodes, freeing of the graph, both without recursion.
#include "mctensor/autograd/node.hpp"

#include <algorithm>
#include <atomic>
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
          "backward: the graph was freed by an earlier backward(); that one must be given "
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
    for (auto& node : order) {
      node->propagate();
      node->drop_gradient();
      if (!retain_graph && !node->is_leaf) node->release();
    }
  } catch (...) {
    // gradients on their way would be added to those of the next pass
    root->drop_gradient();
    for (auto& node : order) node->drop_gradient();
    throw;
  }
}

}  // namespace autograd_detail
}  // namespace mct
