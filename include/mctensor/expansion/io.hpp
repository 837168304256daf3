// Decimal and hexadecimal input and output of expansions, exact or correctly rounded. The code is
// compiled: link mctensor::mctensor. T is double or float with 1 to 4 components, half or bfloat16
// with 1 to 3. The functions give the same results in any rounding mode, with or without flushing
// of subnormals: they set the environment that they need and restore the caller's.
//
// Source: integers of any size, from which the limbs are rounded one after the other.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "mctensor/error.hpp"
#include "mctensor/expansion/expansion.hpp"

namespace mct {
namespace io_detail {

enum class Notation { shortest, general, fixed, scientific, hexadecimal };

/// The style in which format_number writes a number: the printf conversions %g %f %e %a and their
/// flags.
struct NumberStyle {
  Notation notation = Notation::shortest;
  int precision = 6;            ///< digits (general), decimals (fixed, scientific), else unused
  bool trailing_zeros = false;  ///< general: keep them
  bool point = false;           ///< write the decimal point even if no digit follows
  bool uppercase = false;
  char plus = '\0';  ///< '+' or ' ' before a number that is not negative
};

/// The number without padding.
template <class T, int N>
std::string format_number(const Expansion<T, N>& x, const NumberStyle& style);

/// The expansion for a C++ number token, which may be a binary or octal integer and have digit
/// separators.
template <class X>
X from_literal(const char* token);

}  // namespace io_detail

/// The largest digit count that to_string takes. No expansion has more than 1383 digits.
inline constexpr int max_output_digits = 5000;

/// The shortest decimal text that from_string turns back into the same real number. If there are
/// several, it is the text closest to x. If x has gaps between its limbs, the text is long: 1 +
/// 2^-1000 takes 318 digits as f64x2. Notation as std::format and Python: fixed for 1e-4 <= |x| <
/// 10^d, otherwise like 1.5e-07. d is 16 or numeric_limits digits10 + 1, whichever is larger.
/// Specials: "inf", "nan", "0", each with "-" if its sign bit is set. Limbs that are not normalized
/// may have a sum of more than N limbs. Then the text stands for the sum rounded as from_string
/// rounds; it is "inf" above the largest finite value.
template <class T, int N>
std::string to_string(const Expansion<T, N>& x);

/// The exact value rounded to `digits` significant decimal digits, ties to even. All digits are
/// written, trailing zeros too. Fixed notation for 1e-4 <= |x| < 10^digits, as in printf %g. Throws
/// DomainError unless 1 <= digits <= max_output_digits.
template <class T, int N>
std::string to_string(const Expansion<T, N>& x, int digits);

/// The N limbs as hexadecimal floats, such as "0x1.8p+0,-0x1p-54", exactly as stored. Only a NaN
/// loses its payload. from_string returns the same limbs.
template <class T, int N>
std::string to_hex_string(const Expansion<T, N>& x);

/// The number that the whole text stands for, rounded to X limb by limb. Limb 0 is the value
/// rounded to nearest, ties to even. Limb i is the value minus limbs 0..i-1, rounded in the same
/// way. The error is at most half an ulp of the last limb, or half the smallest subnormal. Texts,
/// case-insensitive:
///   decimal       [+-]digits[.digits][e[+-]digits]; digits on one side of the point suffice
///   hexadecimal   [+-]0xdigits[.digits][p[+-]digits]; the exponent counts powers of 2
///   specials      [+-]inf, [+-]infinity, [+-]nan; the sign is kept
///   limbs         at most N hexadecimal numbers or specials, separated by commas. They become the
///                 limbs without rounding or normalization; missing limbs are 0
/// Values above the range give an infinity in limb 0 and zeros after it. Values below the range
/// give a zero with the text's sign. The work is linear in the length of the text. The locale has
/// no effect. Spaces are not skipped. Throws DomainError, which quotes the text and gives the
/// position (from 0) of the first character that does not fit.
template <class X>
requires is_expansion_v<X> X from_string(std::string_view text);

/// Writes x as a built-in floating-point number is written: with precision, fixed, scientific,
/// showpos, showpoint, uppercase, width, fill, adjustment and the locale's punctuation. Digits are
/// correctly rounded (ties to even) to any precision. hexfloat writes the limbs as to_hex_string
/// does. It writes decimal points in every locale, because commas stand between the limbs.
template <class T, int N>
std::ostream& operator<<(std::ostream& out, const Expansion<T, N>& x);

/// Reads the longest text that can begin a number and converts it as from_string does. Decimal
/// numbers may have the locale's punctuation, so >> reads whatever << writes. Thousands separators
/// may be missing, but must not stand at wrong places. A comma that is not part of the locale's
/// punctuation is read only after a hexadecimal limb, if another limb may follow. On malformed text
/// x becomes 0 and failbit is set. Overflow gives an infinity without failbit.
template <class T, int N>
std::istream& operator>>(std::istream& in, Expansion<T, N>& x);

}  // namespace mct
