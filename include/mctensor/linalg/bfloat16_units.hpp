// Products of bfloat16 tensors by the processor's units for them.
#pragma once

namespace mct {

/// What multiplies plain bfloat16 tensors.
enum class Bfloat16Unit {
  /// Sums in float, in the order of k.
  none,
  /// AVX512-BF16: the same sums, in the same order and with the same bits, in about half of the
  /// time,
  /// except that factors and sums below 2^-126 count as zero: the error bound of products.hpp holds
  /// for each element of which no factor, product or sum of products is that small, else add
  /// 2^-126 (2 k + the sum of |a| and |b|).
  vector,
  /// AMX-BF16: of every 32 k the even and the odd ones are summed up by themselves, from zero on,
  /// then
  /// both sums are added, and the sum of that to those before; each addition is rounded to nearest
  /// in
  /// float, and what is below 2^-126 counts as zero. A product is in at most 17 + k / 32 roundings
  /// instead of k, so that the bound above holds here, too. Bits depend on k alone.
  matrix
};

/// Whether this processor has the unit and the instruction set in use reaches it (Isa::avx512); the
/// matrix unit also wants the operating system's leave, which is asked for once.
bool has_bfloat16_unit(Bfloat16Unit unit);

/// What matrix products of plain bfloat16 tensors use: none until set.
Bfloat16Unit bfloat16_unit();

/// Sets it for the whole process; not while another thread calculates. Returns what is in use from
/// then on: none where there is no such unit.
Bfloat16Unit use_bfloat16_unit(Bfloat16Unit wanted);

}  // namespace mct
