// Gradients and steps of many tensors at once.
#pragma once

#include <cstdint>
#include <span>

#include "mctensor/optim/adamw.hpp"

namespace mct::optim_detail {

/// The gradient of a tensor, as `count` contiguous numbers.
struct GradientArray {
  void* data = nullptr;
  std::int64_t count = 0;
};

/// Throw DomainError naming the tensor with a negative count or a null array. T is float, bfloat16
/// or half; the results do not depend on the number of threads.

/// The Euclidean norm of all numbers together, in double; NaN or infinite if a number is.
template <class T>
double norm_of(std::span<const GradientArray> gradients);

/// How many numbers are infinite or NaN.
template <class T>
std::int64_t count_nonfinite(std::span<const GradientArray> gradients);

/// Multiplies all numbers, each product rounded once from double. Throws DomainError for a factor
/// that is not finite.
template <class T>
void scale(std::span<const GradientArray> gradients, double factor);

/// optim::adamw_step of all tensors, or of none: if a gradient is not finite nothing changes and
/// the report says `skipped`. Also throws DomainError for arrays of different tensors that overlap,
/// but for gradients.
optim::StepReport adamw_step_many(optim::Strategy strategy, optim::Format format,
                                  std::span<const optim::AdamWMemory> tensors,
                                  const optim::AdamWOptions& options, std::int64_t step);

}  // namespace mct::optim_detail
