// Weights as floats, and as what a strategy of AdamW keeps of them.
#pragma once

#include "mctensor/optim/arrays.hpp"

namespace mct::optim {

/// Writes `memory.count` float weights into theta and low; the other arrays are not looked at (they
/// begin as zeros). theta is the weight rounded to nearest, and low
///
/// - of light, plus, residual, residual_states: what is left, rounded to T: the
///   weight is theta + low;
/// - of split16, split16_stochastic, split16_plus: the lower 16 bits of the float, signed: its bits
///   are those of theta times 2^16 plus low;
/// - of split8: the upper 7 bits of a byte, signed: the float's bits, rounded to 23 of them, are
///   those of theta times 2^16 plus 2^9 times these. The lowest bit, one of the scales of m and v,
///   stays: low begins as zeros, too;
/// - of master: the weight itself, of which theta is a copy.
///
/// The others have none. Throws DomainError naming the argument: for a strategy without this
/// format, a weight that is not finite in the format of theta (and its number), arrays that are
/// missing or overlap.
void set_weights(Strategy strategy, Format format, const float* weights, const AdamWMemory& memory);

/// The way back, rounded to float. Exact but for sums of theta and low: a low part may lie so far
/// below theta that no float holds both.
void get_weights(Strategy strategy, Format format, const AdamWMemory& memory, float* weights);

/// Numbers of a 16-bit format, rounded to nearest even. NaN and infinities stay what they are; what
/// is too large becomes infinite. Throws DomainError for a null or overlapping array.
void narrow_floats(Format format, const float* from, void* to, std::int64_t count);
/// Exact.
void widen_to_floats(Format format, const void* from, float* to, std::int64_t count);

}  // namespace mct::optim
