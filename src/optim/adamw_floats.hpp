// AdamW steps with floats on the outside: gradients come and weights go as floats.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mctensor/optim/adamw_groups.hpp"

namespace mct::optim_detail {

using optim::FloatSide;

/// As optim::adamw_step of many, without looking at the arguments. Elements whose gradients are not
/// finite stay, unless the caller says that there are none. floats[i] stands beside memory[i];
/// there may be none at all.
optim::StepReport adamw_steps(optim::Strategy strategy, optim::Format format,
                              std::span<const optim::AdamWMemory> memory,
                              std::span<const FloatSide> floats, const optim::AdamWOptions& options,
                              std::int64_t step, bool has_finite_gradients = true);

/// `count` elements from `begin` on, where groups and blocks begin that are not of one element.
optim::AdamWMemory part_of(const optim::AdamWMemory& memory, const optim::Layout& layout,
                           std::int64_t begin, std::int64_t count);

/// The elements of arrays 0 ... i together (see ArrayPieces).
std::vector<std::int64_t> ends_of(std::span<const optim::AdamWMemory> memory);

/// How many gradients are NaN or infinite in the format of theta, which floats become first.
std::int64_t count_nonfinite(optim::Strategy strategy, optim::Format format,
                             std::span<const optim::AdamWMemory> memory,
                             std::span<const FloatSide> floats);

/// The smallest magnitude that is, or becomes, infinite in the format of theta.
double overflow_limit(optim::Strategy strategy, optim::Format format);

/// The norm of all gradients, in double; of floats, before they are rounded.
double gradient_norm(optim::Strategy strategy, optim::Format format,
                     std::span<const optim::AdamWMemory> memory, std::span<const FloatSide> floats);

/// Float weights as theta and low with their marks, and the way back: theta + low, rounded to
/// float, or theta alone where it is not what was marked. Nothing is looked at.
void split_weights(optim::Strategy strategy, optim::Format format, const float* weights,
                   const optim::AdamWMemory& memory);
void join_weights(optim::Strategy strategy, optim::Format format, const optim::AdamWMemory& memory,
                  float* weights);
/// Takes over what was written to floats that showed theta: the weights whose float is not theta's
/// become it, split anew.
void take_edits(optim::Strategy strategy, optim::Format format, const float* shown,
                const optim::AdamWMemory& memory);
/// Marks theta as it is, where there are marks.
void set_marks(optim::Strategy strategy, const optim::AdamWMemory& memory);

}  // namespace mct::optim_detail
