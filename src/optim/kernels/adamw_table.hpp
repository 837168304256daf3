// What the AdamW driver and its kernels have in common.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mctensor/optim/adamw.hpp"

namespace mct::optim_detail {

/// Elements that share random words: positions 128 k ... 128 k + 127.
inline constexpr auto group_length = std::size_t(optim::scale_group);

/// The constants of a step; rounded to T where the arithmetic is strict.
struct AdamWConstants {
  float grad_scale;
  float beta1;
  float one_minus_beta1;
  float beta2;
  float beta2_low;  // strict plus: beta2 is an expansion
  float one_minus_beta2;
  float correction1;  // strict: 1 - beta1^t
  float correction2;  // strict: 1 - beta2^t, else its reciprocal
  float step_size;    // not strict: -lr / (1 - beta1^t)
  float lr;
  float eps;
  float decay;     // strict and inside: the decay itself, else what multiplies theta in the update
  float l2_decay;  // added to the gradient
  bool decoupled;
  bool amsgrad;
  bool float_grad;            // gradients are floats, though theta is not
  bool has_finite_gradients;  // the caller has looked at them
  float metric_scale;         // brings updates near 1, so that their squares are normal floats
  std::uint64_t random[2];    // what random bits of the step are made of
};

/// Updates whole groups: memory begins with the first element of group number `first_group`. What
/// became of the updates is added to the report if it is to be measured.
using AdamWKernel = void (*)(const optim::AdamWMemory& memory, const AdamWConstants& constants,
                             std::uint64_t first_group, std::size_t groups, bool measure,
                             optim::StepReport& report);

/// Rounds floats to T, and the way back.
using NarrowKernel = void (*)(const float* from, void* to, std::size_t count);
using WidenKernel = void (*)(const void* from, float* to, std::size_t count);

/// The compiled code of a strategy.
struct AdamWKernels {
  AdamWKernel update;  // null for strict arithmetic that does not exist
  NarrowKernel narrow;
  WidenKernel widen;
};

}  // namespace mct::optim_detail
