// ShortFloat: a 16-bit binary floating-point number that behaves like float.
//
// It has the bits of Eigen::half or Eigen::bfloat16, and conversions to and from these types copy
// the bits. The library does not use the arithmetic of Eigen's types. That arithmetic is not
// constexpr, rounds a double twice on the way to half (through float), and has no fma. Its implicit
// conversion to float makes generic code compute in float without notice.
//
// Error: every operation is rounded once, to nearest even. Domain: every value, as in IEEE 754,
// NaN, infinities, overflow and subnormals included. Source: Figueroa 1995 for + - * / and sqrt
// through float, Boldo, Melquiond 2008 for fma; tests try all pairs (./run test --exhaustive).
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "mctensor/eft/short_format.hpp"

// Only declared: a program that uses the conversions includes Eigen/Core itself.
namespace Eigen {
struct half;
struct bfloat16;
}  // namespace Eigen

namespace mct {

/// A sign, P - 1 fraction bits and 16 - P exponent bits; finite values are below 2^Emax.
///
/// Every operation is as in IEEE 754: one rounding to nearest even, subnormals, infinities, NaN.
/// The operations + - * / and sqrt are computed in float and rounded to 16 bits. This gives the
/// correctly rounded result, because the 24 bits of float are at least 2 P + 2 (Figueroa 1995). If
/// a bfloat16 result is subnormal, it is subnormal in float as well; there the exhaustive test
/// takes the place of the proof. Conversions from and to other numbers are explicit, with two
/// exceptions: from int, so that generic code may write x == 0 and 2 * x, and from and to Eigen's
/// type.
template <int P, int Emax>
class ShortFloat {
  static constexpr int fraction_bits = P - 1;
  static constexpr int bias = Emax - 1;
  static constexpr std::uint16_t infinity_bits =
      std::uint16_t(0x7fff >> fraction_bits << fraction_bits);
  static constexpr std::uint16_t quiet_bit = std::uint16_t(1 << (fraction_bits - 1));
  static constexpr bool is_bfloat = Emax == 128;
  static_assert((P == 11 && Emax == 16) || (P == 8 && Emax == 128), "half or bfloat16");
  using Eigens = std::conditional_t<is_bfloat, Eigen::bfloat16, Eigen::half>;

 public:
  static constexpr int precision = P;
  static constexpr int max_exponent = Emax;

  /// As for float: 0 if the object is value-initialized, else indeterminate.
  ShortFloat() = default;

  /// The nearest value, ties to even.
  template <std::same_as<int> I>
  MCT_HD MCT_ALWAYS_INLINE constexpr ShortFloat(I value)  // NOLINT(google-explicit-constructor)
      : ShortFloat(double(value)) {}

  /// The nearest value to a number of at most 64 bits, rounded once, ties to even. Overflow gives
  /// an infinity. (Expansion<T, 1> converts wider numbers.) A NaN keeps its sign and the leading
  /// bits of its payload.
  template <class S>
  requires(std::is_arithmetic_v<S> && sizeof(S) <= 8 && !std::is_same_v<S, int> &&
           !std::is_same_v<S, long double>) MCT_HD MCT_ALWAYS_INLINE
      constexpr explicit ShortFloat(S value)
      : bits_(round(value)) {}

  /// From the other 16-bit format, rounded once.
  template <int Q, int F>
  requires(Q != P) MCT_HD MCT_ALWAYS_INLINE constexpr explicit ShortFloat(ShortFloat<Q, F> other)
      : ShortFloat(float(other)) {}

  MCT_HD MCT_ALWAYS_INLINE static constexpr ShortFloat from_bits(std::uint16_t bits) {
    ShortFloat r;
    r.bits_ = bits;
    return r;
  }
  MCT_HD MCT_ALWAYS_INLINE constexpr std::uint16_t bits() const { return bits_; }

  /// From and to Eigen's type of the same format: the bits are copied.
  template <std::same_as<Eigens> E>
  MCT_ALWAYS_INLINE ShortFloat(E value)  // NOLINT(google-explicit-constructor)
      : bits_(std::bit_cast<std::uint16_t>(value)) {}
  template <std::same_as<Eigens> E>
  MCT_ALWAYS_INLINE operator E() const {  // NOLINT(google-explicit-constructor)
    return std::bit_cast<E>(bits_);
  }

  /// Exact.
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator float() const {
    const std::uint32_t sign = std::uint32_t(bits_ & 0x8000) << 16;
    const std::uint32_t magnitude = bits_ & 0x7fff;
    if constexpr (is_bfloat) {
      return std::bit_cast<float>(sign | magnitude << 16);
    } else {
      std::uint32_t r = (magnitude << 13) + (112u << 23);
      if (magnitude >= infinity_bits) {
        r += 112u << 23;
      } else if (magnitude < 0x400) {
        // the bits of 2^-14 + |x|, both below 2^-13
        const float lifted = std::bit_cast<float>(r + (1u << 23)) - 0x1p-14F;
        r = std::bit_cast<std::uint32_t>(lifted);
      }
      return std::bit_cast<float>(sign | r);
    }
  }
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator double() const { return float(*this); }

  /// Truncated towards zero, as a float is.
  template <std::integral I>
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator I() const {
    return I(float(*this));
  }

  MCT_HD MCT_ALWAYS_INLINE constexpr ShortFloat operator-() const {
    return from_bits(std::uint16_t(bits_ ^ 0x8000));
  }
  MCT_HD MCT_ALWAYS_INLINE constexpr ShortFloat operator+() const { return *this; }

#define MCT_SHORT_FLOAT_OPERATOR(op)                                                             \
  MCT_HD MCT_ALWAYS_INLINE friend constexpr ShortFloat operator op(ShortFloat a, ShortFloat b) { \
    return ShortFloat(float(a) op float(b));                                                     \
  }                                                                                              \
  MCT_HD MCT_ALWAYS_INLINE constexpr ShortFloat& operator op##=(ShortFloat b) {                  \
    return *this = *this op b;                                                                   \
  }
  MCT_SHORT_FLOAT_OPERATOR(+)
  MCT_SHORT_FLOAT_OPERATOR(-)
  MCT_SHORT_FLOAT_OPERATOR(*)
  MCT_SHORT_FLOAT_OPERATOR(/)
#undef MCT_SHORT_FLOAT_OPERATOR

  MCT_HD MCT_ALWAYS_INLINE friend constexpr bool operator==(ShortFloat a, ShortFloat b) {
    return float(a) == float(b);
  }
  MCT_HD MCT_ALWAYS_INLINE friend constexpr std::partial_ordering operator<=>(ShortFloat a,
                                                                              ShortFloat b) {
    return float(a) <=> float(b);
  }

  /// Clears the sign, of NaN and of zero too.
  MCT_HD MCT_ALWAYS_INLINE friend constexpr ShortFloat abs(ShortFloat x) {
    return from_bits(std::uint16_t(x.bits_ & 0x7fff));
  }
  /// Correctly rounded.
  MCT_HD MCT_ALWAYS_INLINE friend ShortFloat sqrt(ShortFloat x) {
    return ShortFloat(std::sqrt(float(x)));
  }
  /// a b + c rounded once. In double the product is exact, and the sum is rounded to odd.
  MCT_HD MCT_ALWAYS_INLINE friend constexpr ShortFloat fma(ShortFloat a, ShortFloat b,
                                                           ShortFloat c) {
    return ShortFloat(detail::add_to_odd(double(a) * double(b), double(c)));
  }

 private:
  MCT_HD MCT_ALWAYS_INLINE static constexpr std::uint16_t round(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    std::uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return nan_bits(sign, magnitude >> (24 - P));
    if constexpr (is_bfloat) {
      return std::uint16_t(sign | (magnitude + 0x7fff + (magnitude >> 16 & 1)) >> 16);
    } else {
      if (magnitude >= 0x47800000) return std::uint16_t(sign | infinity_bits);  // 2^16
      if (magnitude < 0x38800000) {  // subnormal: the ulp of 1/2 is 2^-24
        const float lifted = std::bit_cast<float>(magnitude) + 0.5F;
        return std::uint16_t(sign | (std::bit_cast<std::uint32_t>(lifted) - 0x3f000000));
      }
      magnitude -= 112u << 23;
      return std::uint16_t(sign | (magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13);
    }
  }
  MCT_HD MCT_ALWAYS_INLINE static constexpr std::uint16_t round(double value) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    const std::uint32_t sign = std::uint32_t(bits >> 48) & 0x8000;
    if (value != value) return nan_bits(sign, std::uint32_t(bits >> (53 - P)));
    const std::uint32_t r = detail::round_to_short(value, fraction_bits, bias);
    return std::uint16_t(sign | (r < infinity_bits ? r : infinity_bits));
  }
  template <std::integral I>
  MCT_HD MCT_ALWAYS_INLINE static constexpr std::uint16_t round(I value) {
    if constexpr (std::is_signed_v<I>) {
      if (value < 0) return round(-detail::integer_to_odd(std::uint64_t(0) - std::uint64_t(value)));
    }
    return round(detail::integer_to_odd(std::uint64_t(value)));
  }
  /// A quiet NaN. The lowest bits of `payload` are its fraction field.
  MCT_HD MCT_ALWAYS_INLINE static constexpr std::uint16_t nan_bits(std::uint32_t sign,
                                                                   std::uint32_t payload) {
    return std::uint16_t(sign | infinity_bits | quiet_bit | (payload & (quiet_bit - 1)));
  }

  std::uint16_t bits_;
};

}  // namespace mct
