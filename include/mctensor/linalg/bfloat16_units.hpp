// Products of bfloat16 tensors by units of the processor that are made for bfloat16.
#pragma once

namespace mct {

/// The unit that multiplies plain bfloat16 tensors.
enum class Bfloat16Unit {
  /// Sums in float, in the order of k.
  none,
  /// AVX512-BF16: the same sums in the same order, with the same bits, in about half the time. But
  /// factors and sums below 2^-126 count as zero. If an element has such a factor, product or sum,
  /// add 2^-126 (2 k + the sum of |a| and |b|) to the error bound of products.hpp.
  vector,
  /// AMX-BF16 adds 32 products at a time. It sums the even products and the odd products
  /// separately, adds both sums, and adds the result to the sum so far. Each addition is rounded to
  /// nearest in float; numbers below 2^-126 count as zero. A product passes through at most 17 + k
  /// / 32 roundings instead of k, so the bound above holds here, too. Bits depend on k alone.
  matrix
};

/// Whether this processor has the unit and the instruction set in use includes it (Isa::avx512).
/// The matrix unit also needs the operating system's permission, which this function requests once.
bool has_bfloat16_unit(Bfloat16Unit unit);

/// The unit that matrix products of plain bfloat16 tensors use; `none` until a unit is set.
Bfloat16Unit bfloat16_unit();

/// Sets the unit for the whole process; do not call it while another thread calculates. Returns the
/// unit that is in use from then on: `none` if the wanted unit does not exist.
Bfloat16Unit use_bfloat16_unit(Bfloat16Unit wanted);

}  // namespace mct
