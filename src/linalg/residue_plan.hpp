// Numbers modulo several moduli: which moduli carry a product of integer matrices, and what brings
// its residues back to one number.
//
// An integer x with 2 |x| < M = p_1 ... p_n, the p_i coprime in pairs, follows from its residues by
// the Chinese remainder theorem: with y_i = x (M / p_i)^-1 modulo p_i, |y_i| about p_i / 2,
//
//     x = sum_i y_i M / p_i - q M,    q = the integer nearest to sum_i y_i / p_i.
//
// Large integers are sums of digits in doubles, x = sum_t d_t 2^(36 t), |d_t| <= 2^35 (the last one
// 2^36), so that a residue times a digit, and the sum of all of them, stays below 2^53. Residues
// are taken, and put together by the matrix unit, from pieces of digits in narrower integers.
// Source: Ozaki, Uchino, Imamura, "Ozaki Scheme II: A GEMM-oriented emulation of floating-point
// matrix multiplication using an integer modular technique", 2025 (arXiv:2504.08009).
#pragma once

#include <cstdint>
#include <type_traits>

namespace mct::linalg_detail {

inline constexpr int digit_bits = 36;
/// Digits of an operand and of a result: at most these.
inline constexpr int least_operand_digits = 2;
inline constexpr int most_operand_digits = 6;
inline constexpr int least_result_digits = 4;
inline constexpr int most_result_digits = 11;
/// Moduli whose product has so many bits give four digits: one more than there are limbs.
inline constexpr int least_result_bits = (least_result_digits - 1) * digit_bits + 1;
/// Moduli: at most these, so that sums of n residues (at most 5 / 8 of 4049) times digits stay
/// below 2^52, where halves are doubles too.
inline constexpr int most_moduli = 51;
static_assert(most_moduli * (5.0 / 8 * 4049) < 0x1p17);

/// Integers that are stored as residues.
enum class ResidueSize { byte = 1, pair = 2 };

/// The CPU takes residues of the pieces of a digit: three of 12 bits. Two pieces make a word of 32
/// bits: the lower two of each digit, and the highest of two digits.
inline constexpr int piece_bits = 12;
constexpr int piece_words(int digits) { return digits + (digits + 1) / 2; }
/// What is added to a piece so that it has no sign.
inline constexpr int piece_offset = 1 << (piece_bits - 1);

/// From pieces to a residue modulo P < 2^16: of one modulus, or of the product of two moduli of
/// bytes, whose residues follow in registers of 16-bit numbers.
struct PieceWeights {
  std::int32_t modulus = 1;  // P
  float inverse = 1;         // 1 / P
  std::uint32_t start = 0;   // of the sum of pieces times weights: takes piece_offset back
  std::int32_t word[piece_words(most_operand_digits)] = {};  // weights of a word, as 16-bit numbers
};

/// From a residue r modulo P, |r| < 2^15, to one modulo a byte: q = (((r inverse + 2^14) >> 15) +
/// half) >> shift is off (r - c) / p by at most 1 / 2 and what rounding adds, so that r - q p lies
/// within p / 2 + 2 of c: 0, or about p / 2 + 2 for bytes without sign.
struct ByteWeights {
  std::int16_t modulus = 1;
  std::int16_t inverse = 0;  // 2^(15 + shift) / p
  std::int16_t shift = 0;
  std::int16_t half = 0;
  std::int16_t half_unsigned = 0;
};

/// The matrix unit puts numbers together from pieces of bytes: a digit of M / p is the sum of its
/// pieces i times 2^piece_place(i), the first between -2^7 and 2^7, the others -2^6 and 2^6, but
/// the last one, which takes what is left: at most 2^6 + 1, because a digit of M / p is below 2^35.
inline constexpr int pieces_of_digit = 5;
constexpr int piece_place(int i) { return i == 0 ? 0 : 1 + 7 * i; }
inline constexpr int most_pieces = 64;

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
  /// Of the moduli 2 i and 2 i + 1 for bytes, of modulus i for 16 bits.
  PieceWeights left_pieces[most_moduli];
  PieceWeights right_pieces[most_moduli];
  ByteWeights byte[most_moduli];
  double part[most_moduli * most_result_digits] = {};  // [modulus][digit] of M / p
  double whole[most_result_digits] = {};               // the digits of M
  double whole_inverse = 0;                            // 2^(36 (result_digits - 1)) / M
  /// Of bytes: [digit, piece][modulus] of M / p.
  alignas(64) std::int8_t pieces[most_pieces][64] = {};
};

/// How many moduli of this size the product of integers needs whose elements are at most
/// 2^(bits - 1), so that M is above 2^bits by a part in 2^30: the sum that q is rounded from is off
/// by far less. 0 if there are not enough.
int moduli_for(ResidueSize size, double bits);

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
