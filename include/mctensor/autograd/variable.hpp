// Variable<T, N, M>: a tensor whose operations are recorded, so that gradients can be computed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "mctensor/autograd/node.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct {

/// A handle on a tensor of N components of T and on the operations that made it. Its gradient is a
/// tensor of M components. M = 1 is enough, because df/dx = df/dx_i for every component x_i of x
/// (Geometric Foundations, section 3.3.4); gradcheck uses M = N. Either N = M, or one of them is 1.
///
/// A variable made from a tensor is a leaf. backward() adds to the gradients of the leaves that
/// require one. Operations on variables (autograd/arithmetic.hpp ...) have the same names as
/// operations on tensors. They also accept tensors and numbers, as constants. The computation of
/// gradients is not recorded, so there are no second derivatives.
///
/// You may write to the tensor (`x.value()` shares its memory), but not between an operation that
/// uses it and the backward pass through that operation.
///
/// A copy is another handle on the same tensor. A variable that was moved from holds no tensor. You
/// may assign to it, swap it and destroy it; every other use is undefined.
template <class T, int N = 1, int M = 1>
class Variable {
  static_assert(is_component_v<T>, "variables are made of numbers");
  static_assert(M == 1 || N == 1 || M == N,
                "the gradient has one component or as many as the value");

 public:
  using Component = T;
  static constexpr int components = N;
  static constexpr int grad_components = M;
  using Value = Tensor<T, N>;
  using Gradient = Tensor<T, M>;
  using Node = autograd_detail::ValueNode<T, N, M>;

  /// No elements, shape (0).
  Variable() : Variable(Value()) {}
  /// A leaf that shares the tensor's memory.
  explicit Variable(Value value, bool requires_grad = false)
      : node_(std::make_shared<Node>(std::move(value))) {
    node_->requires_grad = requires_grad;
  }
  /// A handle on this node. Throws DomainError for a null pointer.
  explicit Variable(std::shared_ptr<Node> node) : node_(std::move(node)) {
    if (!node_) throw DomainError("Variable: the node is null");
  }

  const Value& value() const { return node_->value; }
  const Shape& shape() const { return value().shape(); }
  int dim() const { return value().dim(); }
  std::int64_t size(std::int64_t d) const { return value().size(d); }
  std::int64_t numel() const { return value().numel(); }
  /// The only element.
  typename Value::Value item() const { return value().item(); }

  bool requires_grad() const { return node_->requires_grad; }
  bool is_leaf() const { return node_->is_leaf; }
  /// Throws DomainError for a variable that is not a leaf.
  const Variable& requires_grad_(bool on = true) const {
    if (!is_leaf()) throw DomainError("requires_grad_: the variable is not a leaf");
    node_->requires_grad = on;
    return *this;
  }
  /// Makes backward passes keep the gradient of this variable, which need not be a leaf. grad()
  /// returns it. Throws DomainError if the variable requires no gradient.
  const Variable& retain_grad() const {
    if (!requires_grad()) throw DomainError("retain_grad: the variable requires no gradient");
    node_->retains_grad = true;
    return *this;
  }

  bool has_grad() const {
    return is_leaf() ? node_->gradient || !node_->sparse.empty() : node_->kept.has_value();
  }
  /// The gradient, in the shape of the value. The gradient of a leaf is shared with the variable,
  /// and you may change it in place. The gradient of sparse rows is a new tensor. Throws
  /// DomainError if there is no gradient.
  Gradient grad() const {
    const auto grad = is_leaf() ? node_->dense_gradient() : node_->kept;
    if (!grad)
      throw DomainError("grad: the variable " + describe() +
                        " has no gradient; call backward() first");
    return *grad;
  }
  /// True if the gradient consists only of rows (see embedding).
  bool has_sparse_grad() const { return !node_->gradient && !node_->sparse.empty(); }
  /// The rows of the gradient, each index once, in increasing order. Throws DomainError if the
  /// gradient is dense or missing.
  SparseRows<T, M> sparse_grad() const {
    if (!has_sparse_grad())
      throw DomainError("sparse_grad: the variable " + describe() + " has no sparse gradient");
    auto& parts = node_->sparse;
    if (parts.size() > 1) {
      std::vector<Tensor<std::int64_t>> indices;
      std::vector<Gradient> rows;
      for (const auto& part : parts) {
        indices.push_back(part.indices);
        rows.push_back(part.rows);
      }
      parts = {SparseRows<T, M>{cat(indices), cat(rows)}};
    }
    return parts[0].coalesced();
  }
  /// Replaces the gradient by a copy of `grad`. Throws ShapeError unless it has the value's shape.
  void set_grad(const Gradient& grad) const {
    check_grad("set_grad", grad);
    node_->clear_gradient();
    (is_leaf() ? node_->gradient : node_->kept) = grad.clone();
  }
  void zero_grad() const {
    node_->clear_gradient();
    node_->kept.reset();
  }

  /// Every backward pass that reaches this leaf calls `hook` when the leaf's gradient is complete,
  /// on the thread of the pass. The hook may read and clear the gradient. It may write the value,
  /// unless the graph is retained: then a later pass reads the value again. There is one hook; an
  /// empty function removes it. PyTorch calls this register_post_accumulate_grad_hook. Throws
  /// DomainError for a variable that is not a leaf.
  void set_grad_hook(const std::function<void()>& hook) const {
    if (!is_leaf())
      throw DomainError("set_grad_hook: the variable " + describe() + " is not a leaf");
    node_->on_gradient = hook;
  }

  /// Computes the derivatives of this single number by the leaves that it was computed from, and
  /// adds them to the gradients of the leaves that require one. The graph is freed unless
  /// retain_graph is true. Throws ShapeError unless the variable has one element. Throws
  /// DomainError if it requires no gradient or the graph was freed.
  void backward(bool retain_graph = false) const {
    if (numel() != 1)
      throw ShapeError(
          "backward: a variable of shape " + to_string(shape()) +
          " has more than one element, or none: pass the gradient of the loss by its elements");
    backward(full<T, M>(shape(), typename Gradient::Value(T(1))), retain_graph);
  }
  /// The same for any number of elements. `grad` has the derivatives of the final result by the
  /// elements of this variable.
  void backward(const Gradient& grad, bool retain_graph = false) const {
    check_grad("backward", grad);
    if (!requires_grad())
      throw DomainError("backward: the variable " + describe() +
                        " requires no gradient: none of its leaves does, or it was not recorded");
    if (node_->released) {
      autograd_detail::run_backward(node_, retain_graph);  // throws
    }
    node_->accumulate(grad);
    autograd_detail::run_backward(node_, retain_graph);
  }

  /// A leaf that shares the memory and requires no gradient.
  Variable detach() const { return Variable(value()); }

  // Views like the views of Tensor, which share memory with this variable. autograd/views.hpp
  // defines them.
  Variable reshape(const Shape& to) const;
  Variable flatten() const { return reshape({-1}); }
  Variable transpose(std::int64_t dim0, std::int64_t dim1) const;
  Variable t() const { return transpose(-2, -1); }
  Variable permute(const Shape& dims) const;
  Variable narrow(std::int64_t d, std::int64_t start, std::int64_t length) const;
  Variable slice(std::int64_t d, std::int64_t start, std::int64_t stop,
                 std::int64_t step = 1) const;
  Variable select(std::int64_t d, std::int64_t index) const;
  Variable operator[](std::int64_t index) const { return select(0, index); }
  Variable expand(const Shape& to) const;
  Variable unsqueeze(std::int64_t d) const;
  Variable squeeze(std::int64_t d) const;
  Variable squeeze() const;
  /// This variable if it is contiguous, else a contiguous copy.
  Variable contiguous() const;
  /// Each number rounded to one component. The gradient is passed on unchanged.
  Variable<T, 1, M> evaluate() const;

  const std::shared_ptr<Node>& node() const { return node_; }

 private:
  std::string describe() const { return "of shape " + to_string(shape()); }
  void check_grad(const char* name, const Gradient& grad) const {
    if (grad.shape() != shape())
      throw ShapeError(std::string(name) + ": a gradient of shape " + to_string(grad.shape()) +
                       " for a variable of shape " + to_string(shape()));
  }

  std::shared_ptr<Node> node_;
};

template <class X>
struct IsVariable : std::false_type {};
template <class T, int N, int M>
struct IsVariable<Variable<T, N, M>> : std::true_type {};
/// True for every Variable<T, N, M>.
template <class X>
inline constexpr bool is_variable_v = IsVariable<std::remove_cvref_t<X>>::value;

}  // namespace mct
