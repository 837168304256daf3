// AdamW steps with floats on the outside: gradients come and weights go as floats.
#pragma once

#include "mctensor/optim/adamw.hpp"

namespace mct::optim_detail {

/// Floats beside the arrays of a strategy with a 16-bit theta, of as many elements.
struct FloatSide {
  /// In the place of AdamWMemory::grad: rounded to T first. They must stay numbers of T.
  const float* grad = nullptr;
  /// Gets the new theta.
  float* theta = nullptr;
};

/// As optim::adamw_step, in one pass over all.
optim::StepReport adamw_step(optim::Strategy strategy, optim::Format format,
                             const optim::AdamWMemory& memory, const FloatSide& floats,
                             const optim::AdamWOptions& options, std::int64_t step);

/// How many floats are NaN or become infinite in the format of theta.
std::int64_t count_nonfinite(optim::Strategy strategy, optim::Format format, const float* grad,
                             std::int64_t count);

/// Float weights as theta and low of a composition, and the way back: theta + low, rounded to
/// float. T is the 16-bit format.
template <class T>
void split_weights(const optim::Composition& parts, const float* weights,
                   const optim::AdamWMemory& memory);
template <class T>
void join_weights(const optim::Composition& parts, const optim::AdamWMemory& memory,
                  float* weights);

}  // namespace mct::optim_detail
