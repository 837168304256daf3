// Products of bfloat16 tensors by the processor's units for them.
#pragma once

namespace mct {

/// Whether this processor has such units and the instruction set in use reaches them: AVX512-BF16
/// with Isa::avx512.
bool has_bfloat16_units();

/// Whether matrix products of plain bfloat16 tensors use them: false until set.
///
/// They compute the same sums, in the same order and with the same bits, in about half of the time,
/// except that factors and sums below 2^-126 count as zero: the error bound of products.hpp holds
/// for each element of which no factor, product or sum of products is that small, else add
/// 2^-126 (2 k + the sum of |a| and |b|).
bool uses_bfloat16_units();

/// Sets it for the whole process; not while another thread calculates. Returns what is in use from
/// then on: false where there are no units.
bool use_bfloat16_units(bool wanted);

}  // namespace mct
