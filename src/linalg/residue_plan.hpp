// Numbers modulo several moduli: which moduli carry a product of integer matrices, and what brings
// its residues back to one number.
//
// An integer x with 4 |x| < M = p_1 ... p_n, the p_i coprime in pairs, follows from its residues by
// the Chinese remainder theorem: with y_i = x (M / p_i)^-1 modulo p_i, |y_i| about p_i / 2,
//
//     x = sum_i y_i M / p_i - q M,    q = the integer nearest to sum_i y_i / p_i.
//
// Everything is done in doubles that hold integers: large numbers are sums of digits,
// x = sum_t d_t 2^(36 t), |d_t| <= 2^35 (the last one 2^36), so that a residue times a digit, and
// the sum of all of them, stays below 2^53. Source: Ozaki, Uchino, Imamura, "Ozaki Scheme II: A
// GEMM-oriented emulation of floating-point matrix multiplication using an integer modular
// technique", 2025 (arXiv:2504.08009).
#pragma once

#include <type_traits>

namespace mct::linalg_detail {

/// Bits of a digit.
inline constexpr int digit_bits = 36;
/// Digits of an operand and of a result: at most these.
inline constexpr int least_operand_digits = 2;
inline constexpr int most_operand_digits = 6;
inline constexpr int least_result_digits = 4;
inline constexpr int most_result_digits = 11;
/// Moduli whose product has so many bits give four digits: one more than there are limbs.
inline constexpr int least_result_bits = (least_result_digits - 1) * digit_bits + 1;
/// Moduli: at most these, so that sums of n residues (at most 5 / 8 of 4095) times digits stay
/// below 2^52, where halves are doubles too.
inline constexpr int most_moduli = 51;
static_assert(most_moduli * (5.0 / 8 * 4095) < 0x1p17);

/// Integers that are stored as residues.
enum class ResidueSize { byte = 1, pair = 2 };

/// What the kernels need to know of the moduli of one product: numbers alone, no code.
struct ResiduePlan {
  ResidueSize size = ResidueSize::pair;
  int count = 0;           // of moduli
  int operand_digits = 0;  // of both operands
  int result_digits = 0;
  double modulus[most_moduli] = {};
  double inverse[most_moduli] = {};  // 1 / p rounded
  /// [modulus][digit]: (2^(36 t) modulo p) 2^(-36 t), what a digit times 2^(36 t) is multiplied by;
  /// of the left operand times (M / p)^-1 modulo p.
  double left[most_moduli * most_operand_digits] = {};
  double right[most_moduli * most_operand_digits] = {};
  double part[most_moduli * most_result_digits] = {};  // [modulus][digit] of M / p
  double whole[most_result_digits] = {};               // the digits of M
};

/// How many moduli of this size the product of integers needs whose elements are below
/// 2^(bits - 2); 0 if there are not enough.
int moduli_for(ResidueSize size, int bits);

/// The plan of products with so many moduli, of operands of so many digits. Made once.
const ResiduePlan& residue_plan(ResidueSize size, int count, int operand_digits);

/// Calls f with a number of digits, first ... last, as a constant.
template <int first, int last, class F>
decltype(auto) with_digits(int digits, const F& f) {
  if constexpr (first < last) {
    if (digits != first) return with_digits<first + 1, last>(digits, f);
  }
  return f(std::integral_constant<int, first>());
}

}  // namespace mct::linalg_detail
