// Conversions between float weights and the storage of a strategy of AdamW.
#pragma once

#include "mctensor/optim/arrays.hpp"

namespace mct::optim {

/// Writes `memory.count` float weights to theta and low, and sets the marks if there are any. The
/// other arrays are not used; before the first step they must be zeros. theta is the weight rounded
/// to nearest, and low is
///
/// - for light, plus, residual, residual_states: the weight minus theta, rounded to T;
/// - for split16, split16_stochastic, split16_plus: the lower 16 bits of the float as a signed
///   number. The float's bits are theta's bits times 2^16 plus low;
/// - for split8: a signed number in the upper 7 bits of a byte. The float's bits, rounded to 23
///   bits, are theta's bits times 2^16 plus 2^9 times this number. The lowest bit of the byte
///   belongs to the scales of m and v and is not written, so low must be zeros at first;
/// - for master: the weight itself.
///
/// Strategies that this list does not name have no low. In split16, split16_stochastic,
/// split16_plus and split8, theta is rounded with ties away from zero. Throws DomainError, which
/// names the argument, for a strategy without this format and for arrays that are missing or
/// overlap. Throws DomainError, which has the index, for a weight that is not finite in the format
/// of theta.
void set_weights(Strategy strategy, Format format, const float* weights, const AdamWMemory& memory);

/// Reads the weights back as floats. The result is exact, except that sums theta + low are rounded
/// to float, because low may be too small beside theta. Where a mark or a master weight shows that
/// the program has written theta, the result is theta.
void get_weights(Strategy strategy, Format format, const AdamWMemory& memory, float* weights);

/// Rounds floats to a 16-bit format, to nearest even. NaN and infinities stay; numbers that are too
/// large become infinite. Throws DomainError for an array that is null, and for arrays that
/// overlap.
void narrow_floats(Format format, const float* from, void* to, std::int64_t count);
/// Converts back to floats, exactly. Throws as narrow_floats.
void widen_to_floats(Format format, const void* from, float* to, std::int64_t count);

}  // namespace mct::optim
