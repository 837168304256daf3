// Functions of gradients before a step: their norm, clipping, and a search for infinities and NaN.
//
// Each function works on all threads and takes any number of tensors. It reads the memory once; the
// norm of doubles takes a second pass if squares overflow or underflow, and clipping takes another.
// Results do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/optim/clip_factor.hpp"

namespace mct::optim_detail {

/// The elements of several gradients, one span for each gradient.
template <class T>
using GradientSpans = std::span<const std::span<T>>;

template <class T>
double gradient_norm(GradientSpans<T> gradients);
template <class T>
void scale_gradients(GradientSpans<T> gradients, double factor);
template <class T>
std::int64_t count_nonfinite(GradientSpans<T> gradients);

#define MCT_EXTERN_GRADIENTS(T)                                   \
  extern template double gradient_norm(GradientSpans<T>);         \
  extern template void scale_gradients(GradientSpans<T>, double); \
  extern template std::int64_t count_nonfinite(GradientSpans<T>);
MCT_EXTERN_GRADIENTS(double)
MCT_EXTERN_GRADIENTS(float)
MCT_EXTERN_GRADIENTS(half)
MCT_EXTERN_GRADIENTS(bfloat16)
#undef MCT_EXTERN_GRADIENTS

/// The gradients of parameters as contiguous memory. Contiguous gradients are used in place; others
/// and sparse rows are copied. A parameter without a gradient gives an empty span.
template <class T>
class GradientMemory {
 public:
  template <int N>
  explicit GradientMemory(const std::vector<Variable<T, N>>& parameters) {
    spans_.reserve(parameters.size());
    for (const auto& p : parameters) spans_.push_back(span_of(p));
  }

  const std::vector<std::span<T>>& spans() const { return spans_; }

 private:
  template <int N>
  std::span<T> span_of(const Variable<T, N>& p) {
    const auto& node = *p.node();
    if (p.is_leaf() && node.sparse.empty()) {
      if (!node.gradient) return {};
      if (node.gradient->is_contiguous()) return span_of(*node.gradient);
    }
    return p.has_grad() ? span_of(copies_.emplace_back(p.grad().contiguous())) : std::span<T>();
  }
  static std::span<T> span_of(const Tensor<T>& grad) {
    return {grad.data(), std::size_t(grad.numel())};
  }

  std::vector<std::span<T>> spans_;
  std::vector<Tensor<T>> copies_;
};

}  // namespace mct::optim_detail

namespace mct::optim {

/// The Euclidean norm of all gradients together, in double. Parameters without a gradient count as
/// 0. The norm is NaN or infinite if an element is. Squares are summed in double. Squares of float,
/// half and bfloat16 do not overflow there. Gradients of double are scaled by a power of two if
/// their squares overflow or underflow.
template <class T, int N>
double grad_norm(const std::vector<Variable<T, N>>& parameters) {
  return optim_detail::gradient_norm<T>(optim_detail::GradientMemory<T>(parameters).spans());
}

/// Multiplies all gradients by a factor, in place; sparse rows become one tensor. If T is float or
/// shorter and the factor is 0 or in the normal range of float, the factor is first rounded to
/// float, and the product is computed in float. Otherwise the product is computed in double. It is
/// then rounded to T.
template <class T, int N>
void scale_gradients(const std::vector<Variable<T, N>>& parameters, double factor) {
  for (const auto& p : parameters)
    if (p.is_leaf() && !p.node()->sparse.empty()) p.set_grad(p.grad());
  optim_detail::scale_gradients<T>(optim_detail::GradientMemory<T>(parameters).spans(), factor);
}

/// Scales all gradients so that their norm is at most max_norm, up to rounding. Returns the norm
/// before the scaling. If the norm is not finite, the gradients stay as they are, and optimizers
/// skip the step. Throws DomainError unless max_norm > 0.
template <class T, int N>
double clip_grad_norm(const std::vector<Variable<T, N>>& parameters, double max_norm) {
  const double norm = grad_norm(parameters);
  const double factor = clip_factor(norm, max_norm);
  if (factor != 1) scale_gradients(parameters, factor);
  return norm;
}

/// The number of elements of the gradients that are infinite or NaN.
template <class T, int N>
std::int64_t count_nonfinite(const std::vector<Variable<T, N>>& parameters) {
  return optim_detail::count_nonfinite<T>(optim_detail::GradientMemory<T>(parameters).spans());
}

}  // namespace mct::optim
