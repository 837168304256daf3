// What is done to gradients before a step: their norm, clipping, a search for infinities and NaN.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/optim/clip_factor.hpp"

namespace mct::optim {

/// The Euclidean norm of all gradients together, in double; parameters without one count as 0.
/// NaN or infinite if a gradient is.
template <class T, int N>
double grad_norm(const std::vector<Variable<T, N>>& parameters) {
  double sum = 0;
  for (const auto& p : parameters) {
    if (!p.has_grad()) continue;
    const auto grad = p.grad().contiguous();
    const T* g = grad.data();
    const std::int64_t size = grad.numel();
    double part = 0;
    for (std::int64_t i = 0; i < size; ++i) part += double(g[i]) * double(g[i]);
    sum += part;
  }
  return std::sqrt(sum);
}

/// Scales all gradients so that their norm is at most max_norm; returns the norm before. Leaves
/// them alone if the norm is not finite (the optimizers skip such a step). Throws DomainError
/// unless max_norm > 0.
template <class T, int N>
double clip_grad_norm(const std::vector<Variable<T, N>>& parameters, double max_norm) {
  const double norm = grad_norm(parameters);
  const double factor = clip_factor(norm, max_norm);
  if (factor == 1) return norm;
  for (const auto& p : parameters) {
    if (!p.has_grad()) continue;
    const auto grad = p.grad().contiguous().clone();
    T* g = grad.data();
    const std::int64_t size = grad.numel();
    for (std::int64_t i = 0; i < size; ++i) g[i] = T(double(g[i]) * factor);
    p.set_grad(grad);
  }
  return norm;
}

/// How many elements of the gradients are infinite or NaN.
template <class T, int N>
std::int64_t count_nonfinite(const std::vector<Variable<T, N>>& parameters) {
  std::int64_t count = 0;
  for (const auto& p : parameters) {
    if (!p.has_grad()) continue;
    const auto grad = p.grad().contiguous();
    const T* g = grad.data();
    const std::int64_t size = grad.numel();
    for (std::int64_t i = 0; i < size; ++i) count += !std::isfinite(double(g[i]));
  }
  return count;
}

}  // namespace mct::optim
