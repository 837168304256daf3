// Conversions between float weights and the storage of a strategy of AdamW.
#pragma once

#include "mctensor/optim/arrays.hpp"

namespace mct::optim {

/// Writes `memory.count` float weights into theta and low. It does not use the other arrays (which
/// begin as zeros). theta is the weight rounded to nearest, and low is
///
/// - for light, plus, residual, residual_states: the rest, rounded to T, so that the weight is
///   theta + low;
/// - for split16, split16_stochastic, split16_plus: the lower 16 bits of the float, signed, so that
///   the float's bits are theta's bits times 2^16 plus low;
/// - for split8: the upper 7 bits of a byte, signed. The float's bits, rounded to 23 bits, are
///   theta's bits times 2^16 plus 2^9 times these 7 bits. The lowest bit belongs to the scales of m
///   and v and stays, so low must begin as zeros, too;
/// - for master: the weight itself; theta is a copy of it.
///
/// Other strategies have no low. Throws DomainError with the argument: for a strategy without this
/// format, for a weight that is not finite in the format of theta (with its index), and for arrays
/// that are missing or overlap.
void set_weights(Strategy strategy, Format format, const float* weights, const AdamWMemory& memory);

/// Reads the weights back as floats. This is exact except for sums theta + low, which are rounded:
/// low may be so small beside theta that no float holds both.
void get_weights(Strategy strategy, Format format, const AdamWMemory& memory, float* weights);

/// Rounds floats to a 16-bit format, to nearest even. NaN and infinities stay; numbers that are too
/// large become infinite. Throws DomainError for a null or overlapping array.
void narrow_floats(Format format, const float* from, void* to, std::int64_t count);
/// Exact.
void widen_to_floats(Format format, const void* from, float* to, std::int64_t count);

}  // namespace mct::optim
