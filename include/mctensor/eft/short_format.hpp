// Rounding of a double to a binary format of at most 16 bits, once and in integers.
//
// All such formats are alike: a sign, an exponent field, a fraction field. The bits without the
// sign grow with the value. So rounding is a shift, and a carry from the fraction into the exponent
// field is right.
#pragma once

#include <bit>
#include <cstdint>

#include "mctensor/config.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// |x| as the exponent field and the fraction field of a format with the given width of the
/// fraction and the given exponent bias. It is rounded to nearest even, and subnormals are kept.
/// There is no upper limit: large x give the bits of infinity or larger ones. x is not NaN.
MCT_HD constexpr std::uint32_t round_to_short(double x, int fraction_bits, int bias) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) & 0x7fffffffffffffffu;
  const int exponent_field = int(bits >> 52) - 1023 + bias;
  int shift = 52 - fraction_bits;
  std::uint64_t value;
  if (exponent_field >= 1) {
    value = bits - (std::uint64_t(1023 - bias) << 52);
  } else {
    // subnormal in the format: the hidden leading bit is written out. The format's subnormals are
    // far above the subnormals of double, which become 0 here.
    shift += 1 - exponent_field;
    if (shift > 53) return 0;
    value = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
  }
  const std::uint64_t half = std::uint64_t(1) << (shift - 1);
  return std::uint32_t((value + (half - 1) + ((value >> shift) & 1)) >> shift);
}

/// a + b rounded to odd: the sum if it is a double, else its neighbour with an odd last bit. If the
/// result is rounded to at most 51 bits, this gives the exact sum rounded once. Finite a, b, no
/// overflow. Source: Boldo, Melquiond: Emulation of a FMA and correctly rounded sums, IEEE TC
/// 57(4), 2008.
MCT_HD constexpr double add_to_odd(double a, double b) {
  const double s = a + b;
  const double b_virtual = s - a;
  const double error = (a - (s - b_virtual)) + (b - b_virtual);
  if (!(error < 0) && !(error > 0)) return s;  // exact, infinite or NaN
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(s);
  if ((bits & 1) != 0) return s;
  // go towards the error: the magnitude grows if the error has the sign of s
  return std::bit_cast<double>((error > 0) == (s > 0) ? bits + 1 : bits - 1);
}

/// An integer as a double rounded to odd.
MCT_HD constexpr double integer_to_odd(std::uint64_t value) {
  if (value >> 53 == 0) return double(value);
  return double(((value >> 11) | std::uint64_t((value & 0x7ff) != 0)) << 11);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
