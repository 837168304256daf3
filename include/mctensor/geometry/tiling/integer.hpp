// Integers of any size, held in 64 bits as long as they fit.
//
// Error: exact, except `scaled`, which states its error. Source: arithmetic of whole numbers by
// digits, Knuth, TAOCP vol. 2, section 4.3.1.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/config.hpp"

namespace mct::geometry {

struct BigInteger;  // of Boost.Multiprecision, inside the library only

/// A whole number without a limit of size. A number that fits into 64 bits is one machine word
/// (except INT64_MIN, whose negative does not fit). If an operation overflows, it is repeated with
/// big integers. Copies share a big integer, which never changes, so they are cheap.
class Integer {
 public:
  Integer(std::int64_t value = 0) : small_(value) {  // NOLINT(google-explicit-constructor)
    if (value == INT64_MIN) *this = from_bits(-1, std::uint64_t(1) << 63);
  }
  /// Reads "-123". Throws DomainError for anything else.
  static Integer from_string(std::string_view decimal);
  /// The exact value of a finite double without a fraction. Throws DomainError for other numbers.
  static Integer from_double(double value);
  /// sign times the number that has these digits of 32 bits, the lowest digit first, in linear
  /// time. Throws DomainError for more than 2^31 bits.
  static Integer from_digits(int sign, const std::vector<std::uint32_t>& digits);
  /// The number of a big integer. If it fits into 64 bits, it is stored so.
  static Integer from_big(BigInteger&& value);

  /// True if the value is stored in 64 bits, as every value from -INT64_MAX to INT64_MAX is.
  bool is_small() const { return big_ == nullptr; }
  /// The value, if is_small().
  std::int64_t small() const { return small_; }
  /// The value, unless is_small().
  const BigInteger& big() const { return *big_; }

  /// -1, 0 or 1.
  int sign() const { return small_ > 0 ? 1 : small_ < 0 ? -1 : 0; }
  bool is_odd() const;
  /// The number of bits of |x|: 2^(bits - 1) <= |x| < 2^bits, or 0 if x is 0.
  std::int64_t bit_length() const;
  std::string to_string() const;
  /// |x| in digits of 32 bits, the lowest first and the highest not 0, in linear time.
  std::vector<std::uint32_t> digits() const;

  /// x * 2^-shift in V, which is double, float or an expansion of these. Error <= (1 + 2^-60) u^N.
  /// A number that is too small for V gives zero; a number that is too large gives an infinity.
  template <class V>
  V scaled(std::int64_t shift = 0) const;

  /// The largest integer that is not above sqrt(x). Throws DomainError for a negative x.
  Integer square_root() const;

  Integer operator-() const;
  friend Integer operator+(const Integer& a, const Integer& b) {
    std::int64_t sum;
    if (a.is_small() && b.is_small() && !__builtin_add_overflow(a.small_, b.small_, &sum))
      return sum;
    return add_big(a, b);
  }
  friend Integer operator-(const Integer& a, const Integer& b) {
    std::int64_t difference;
    if (a.is_small() && b.is_small() && !__builtin_sub_overflow(a.small_, b.small_, &difference))
      return difference;
    return subtract_big(a, b);
  }
  friend Integer operator*(const Integer& a, const Integer& b) {
    std::int64_t product;
    if (a.is_small() && b.is_small() && !__builtin_mul_overflow(a.small_, b.small_, &product))
      return product;
    return multiply_big(a, b);
  }
  /// The quotient, rounded toward minus infinity. The divisor must not be zero.
  Integer divided_by(std::int64_t divisor) const;
  /// The remainder of divided_by, from 0 to divisor - 1. The divisor must be positive.
  std::int64_t remainder(std::int64_t divisor) const;
  /// x * 2^bits, rounded toward minus infinity if `bits` is negative. Throws DomainError for a
  /// result of more than 2^31 bits.
  Integer shifted(std::int64_t bits) const;

  /// a0 b0 + a1 b1 + a2 b2. Products of 64-bit numbers are added in 128 bits, so products that
  /// cancel need no big integers.
  friend Integer dot(const Integer& a0, const Integer& b0, const Integer& a1, const Integer& b1,
                     const Integer& a2, const Integer& b2) {
    if (a0.is_small() && a1.is_small() && a2.is_small() && b0.is_small() && b1.is_small() &&
        b2.is_small()) {
      Wide sum = Wide(a0.small_) * b0.small_;
      if (!__builtin_add_overflow(sum, Wide(a1.small_) * b1.small_, &sum) &&
          !__builtin_add_overflow(sum, Wide(a2.small_) * b2.small_, &sum) && sum <= INT64_MAX &&
          sum >= -Wide(INT64_MAX))
        return {std::int64_t(sum)};
    }
    return dot_big(a0, b0, a1, b1, a2, b2);
  }

  friend bool operator==(const Integer& a, const Integer& b) {
    return a.is_small() && b.is_small() ? a.small_ == b.small_ : equal_big(a, b);
  }
  friend bool operator<(const Integer& a, const Integer& b) {
    return a.is_small() && b.is_small() ? a.small_ < b.small_ : (a - b).sign() < 0;
  }

 private:
  __extension__ typedef __int128 Wide;  // NOLINT: 128 bits are no standard type

  static Integer from_bits(int sign, std::uint64_t magnitude);
  static Integer add_big(const Integer& a, const Integer& b);
  static Integer subtract_big(const Integer& a, const Integer& b);
  static Integer multiply_big(const Integer& a, const Integer& b);
  static Integer dot_big(const Integer& a0, const Integer& b0, const Integer& a1, const Integer& b1,
                         const Integer& a2, const Integer& b2);
  static bool equal_big(const Integer& a, const Integer& b);

  std::int64_t small_;  // the value, or the sign of a big integer
  std::shared_ptr<const BigInteger> big_;
};

/// Computes a - 2^apart b = value 2^exponent with 1/2 <= |value| <= 1 from leading digits. The
/// error is (1 + 1/4096) u^N. V is double, float or f64x2. Returns false if more than 40 bits
/// cancel, and for other V.
template <class V>
bool leading_difference(const Integer& a, const Integer& b, std::int64_t apart, V& value,
                        std::int64_t& exponent);

}  // namespace mct::geometry
