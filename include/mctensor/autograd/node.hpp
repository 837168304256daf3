// The recorded graph. Each variable has a node, with the data that pass a gradient on.
//
// A graph belongs to the thread that records it: several threads must not use variables that share
// nodes at the same time. The operations themselves run on num_threads() threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "mctensor/base/functions.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct {

/// Some rows of a gradient; the other rows are zero. rows[i] belongs to row indices[i]. Shapes:
/// indices (k), rows (k, ...). coalesced() has each index once, in increasing order.
template <class T, int M = 1>
struct SparseRows {
  Tensor<std::int64_t> indices;
  Tensor<T, M> rows;

  /// The same rows; rows with equal indices are summed in their order.
  SparseRows coalesced() const;
  /// A tensor of shape (n, ...) with these rows added to zeros.
  Tensor<T, M> dense(const Shape& shape) const;
};

/// True if operations of this thread are recorded.
bool grad_enabled();

/// While a guard exists, operations of its thread are not recorded; results require no gradient.
class NoGradGuard {
 public:
  NoGradGuard();
  ~NoGradGuard();
  NoGradGuard(const NoGradGuard&) = delete;
  NoGradGuard& operator=(const NoGradGuard&) = delete;

 private:
  bool before_;
};

namespace autograd_detail {

/// A node without the type of its gradient (see GradNode). A backward pass sorts such nodes.
class Node {
 public:
  Node();
  /// Destroys long chains of inputs without recursion.
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Computes the gradients of the inputs from the gradient of this node, and adds them to the
  /// inputs.
  virtual void propagate() = 0;
  /// Drops a gradient that is not passed on yet; the gradient of a leaf stays.
  virtual void drop_gradient() = 0;
  /// Drops the inputs and the saved tensors.
  virtual void release();

  std::vector<std::shared_ptr<Node>> inputs;  // null: no gradient wanted
  std::uint64_t sequence;                     // larger than in every input
  bool requires_grad = false;
  bool is_leaf = true;
  bool retains_grad = false;
  bool released = false;
  /// For leaves: called in a backward pass when the gradient is complete.
  std::function<void()> on_gradient;
};

/// Passes the gradient of `root` through its graph. Throws DomainError if a part was freed.
void run_backward(const std::shared_ptr<Node>& root, bool retain_graph);

/// The gradient in `shape`: summed over the dimensions that broadcasting added or stretched.
template <class T, int M>
Tensor<T, M> sum_to(const Tensor<T, M>& grad, const Shape& shape);

/// A node whose gradient has M components of T.
template <class T, int M>
class GradNode : public Node {
 public:
  using Backward = OwnedFunction<void(const GradNode&, const Tensor<T, M>&)>;

  virtual const Shape& shape() const = 0;

  bool needs(std::size_t i) const { return inputs[i] != nullptr; }
  const Shape& input_shape(std::size_t i) const { return input(i).shape(); }
  /// Adds `grad`, summed to the input's shape, to the gradient of input i. Does nothing if that
  /// input needs no gradient.
  void give(std::size_t i, Tensor<T, M> grad) const;
  void give_rows(std::size_t i, SparseRows<T, M> rows) const;
  /// The same for a part of the input, which take() selects as a view. So no gradient of full size
  /// is needed for a part.
  using Take = FunctionRef<Tensor<T, M>(const Tensor<T, M>&)>;
  void give_part(std::size_t i, const Tensor<T, M>& grad, const Take& take) const;

  void accumulate(Tensor<T, M> grad);
  void accumulate_rows(SparseRows<T, M> rows);
  void accumulate_part(const Tensor<T, M>& grad, const Take& take);
  /// Sparse rows and dense gradient in one tensor; no value if no gradient has arrived.
  std::optional<Tensor<T, M>> dense_gradient() const;
  void clear_gradient();

  void propagate() override;
  void drop_gradient() override;
  void release() override;

  Backward backward;
  std::optional<Tensor<T, M>> gradient;  // a leaf keeps it for the user; others pass it on
  std::vector<SparseRows<T, M>> sparse;  // rows to be added to `gradient`
  std::optional<Tensor<T, M>> kept;      // kept for the user by a node that is not a leaf

 private:
  GradNode& input(std::size_t i) const { return static_cast<GradNode&>(*inputs[i]); }

  bool owns_gradient_ = false;  // true: `gradient` may be changed in place
};

/// The node of a variable, which also has the value.
template <class T, int N, int M>
class ValueNode final : public GradNode<T, M> {
 public:
  explicit ValueNode(Tensor<T, N> x) : value(std::move(x)) {}
  const Shape& shape() const override { return value.shape(); }

  Tensor<T, N> value;
};

#define MCT_EXTERN_GRAD_NODE(T, M)                                                \
  extern template Tensor<T, M> sum_to(const Tensor<T, M>& grad, const Shape& to); \
  extern template class GradNode<T, M>;
MCT_FOR_EACH_NUMBER_TENSOR(MCT_EXTERN_GRAD_NODE)
#undef MCT_EXTERN_GRAD_NODE

}  // namespace autograd_detail

#define MCT_EXTERN_SPARSE_ROWS(T, M) extern template struct SparseRows<T, M>;
MCT_FOR_EACH_NUMBER_TENSOR(MCT_EXTERN_SPARSE_ROWS)
#undef MCT_EXTERN_SPARSE_ROWS

}  // namespace mct
