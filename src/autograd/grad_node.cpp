// Gradients as they arrive at a node: sums of dense tensors and of rows.
#include <algorithm>
#include <numeric>
#include <utility>

#include "mctensor/autograd/node.hpp"
#include "mctensor/autograd/rows.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct {

template <class T, int M>
SparseRows<T, M> SparseRows<T, M>::coalesced() const {
  const std::vector<std::int64_t> index = indices.values();
  std::vector<std::int64_t> order(index.size());
  std::iota(order.begin(), order.end(), std::int64_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return index[std::size_t(a)] < index[std::size_t(b)];
  });
  std::vector<std::int64_t> unique;
  std::vector<std::int64_t> target(index.size());  // where each row is summed
  for (const std::int64_t i : order) {
    if (unique.empty() || unique.back() != index[std::size_t(i)])
      unique.push_back(index[std::size_t(i)]);
    target[std::size_t(i)] = std::int64_t(unique.size()) - 1;
  }
  Shape shape = rows.shape();
  shape[0] = std::int64_t(unique.size());
  Tensor<T, M> sums(shape);
  autograd_detail::add_rows_(sums, target, rows);
  return {Tensor<std::int64_t>::from_values(unique, {shape[0]}), sums};
}

template <class T, int M>
Tensor<T, M> SparseRows<T, M>::dense(const Shape& shape) const {
  Tensor<T, M> result(shape);
  autograd_detail::add_rows_(result, indices.values(), rows);
  return result;
}

namespace autograd_detail {

template <class T, int M>
Tensor<T, M> sum_to(const Tensor<T, M>& grad, const Shape& shape) {
  if (grad.shape() == shape) return grad;
  const std::size_t extra = grad.shape().size() - shape.size();
  Shape dims;
  for (std::size_t d = 0; d < grad.shape().size(); ++d)
    if (d < extra || (shape[d - extra] == 1 && grad.shape()[d] != 1))
      dims.push_back(std::int64_t(d));
  // no dimensions would mean all of them
  return dims.empty() ? grad.reshape(shape) : sum(grad, dims).reshape(shape);
}

template <class T, int M>
void GradNode<T, M>::give(std::size_t i, Tensor<T, M> grad) const {
  if (!needs(i)) return;
  if (grad.shape() != input_shape(i)) grad = sum_to(grad, input_shape(i));
  input(i).accumulate(std::move(grad));
}

template <class T, int M>
void GradNode<T, M>::give_rows(std::size_t i, SparseRows<T, M> rows) const {
  if (needs(i)) input(i).accumulate_rows(std::move(rows));
}

template <class T, int M>
void GradNode<T, M>::give_part(std::size_t i, const Tensor<T, M>& grad, const Take& take) const {
  if (needs(i)) input(i).accumulate_part(grad, take);
}

template <class T, int M>
void GradNode<T, M>::accumulate(Tensor<T, M> grad) {
  if (!gradient) {
    // The gradient of a leaf belongs to the user, so nothing else may share its memory. Other
    // gradients may be shared between nodes until something is added to them.
    owns_gradient_ = is_leaf;
    if (is_leaf && (grad.storage().use_count() > 1 || !grad.is_contiguous())) grad = grad.clone();
    gradient = std::move(grad);
  } else if (owns_gradient_) {
    add_(*gradient, grad);
  } else {
    gradient = add(*gradient, grad);
    owns_gradient_ = true;
  }
}

template <class T, int M>
void GradNode<T, M>::accumulate_part(const Tensor<T, M>& grad, const Take& take) {
  if (!gradient) {
    gradient = Tensor<T, M>(shape());
    take(*gradient).copy_(grad);
  } else {
    if (!owns_gradient_) gradient = gradient->clone();
    add_(take(*gradient), grad);
  }
  owns_gradient_ = true;
}

template <class T, int M>
void GradNode<T, M>::accumulate_rows(SparseRows<T, M> rows) {
  sparse.push_back(std::move(rows));
}

template <class T, int M>
std::optional<Tensor<T, M>> GradNode<T, M>::dense_gradient() const {
  if (sparse.empty()) return gradient;
  Tensor<T, M> sum = gradient ? gradient->clone() : Tensor<T, M>(shape());
  for (const auto& rows : sparse) add_(sum, rows.dense(shape()));
  return sum;
}

template <class T, int M>
void GradNode<T, M>::clear_gradient() {
  gradient.reset();
  sparse.clear();
}

template <class T, int M>
void GradNode<T, M>::propagate() {
  if (is_leaf || !backward) return;
  const auto grad = dense_gradient();
  clear_gradient();
  if (!grad) return;
  if (retains_grad) kept = kept ? add(*kept, *grad) : grad->clone();
  backward(*this, *grad);
}

template <class T, int M>
void GradNode<T, M>::drop_gradient() {
  if (!is_leaf) clear_gradient();
}

template <class T, int M>
void GradNode<T, M>::release() {
  backward = {};
  Node::release();
}

#define MCT_INSTANTIATE(T, M)                                        \
  template Tensor<T, M> sum_to(const Tensor<T, M>&, const Shape& s); \
  template class GradNode<T, M>;
MCT_FOR_EACH_NUMBER_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace autograd_detail

#define MCT_INSTANTIATE(T, M) template struct SparseRows<T, M>;
MCT_FOR_EACH_NUMBER_TENSOR(MCT_INSTANTIATE)

}  // namespace mct
