// Reading of number texts, without rounding.
#pragma once

#include <string_view>

#include "exact.hpp"

namespace mct::io_detail {

/// The limits of the component type that the reader needs: a value below 2^(half_smallest) rounds
/// to 0, one of 2^overflow or more to infinity, and every value at which the rounding of some limb
/// changes is a multiple of 2^half_smallest.
struct Range {
  int half_smallest;
  int overflow;
};

/// A number as read. A magnitude outside the range, or with bits below its last one, is replaced
/// by another one that rounds to the same limbs and has few digits.
struct Number {
  enum class Kind { finite, infinity, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  bool hexadecimal = false;
  Exact magnitude;
};

/// Reads numbers from a text, one after the other.
class NumberParser {
 public:
  NumberParser(std::string_view text, Range range) : text_(text), range_(range) {}

  std::size_t position() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  bool take(char lower_case);

  /// A decimal or hexadecimal number or a special.
  Number read_number();

  /// An unsigned integer in base 2^bits, up to the end of the text.
  Number read_integer(int bits);

  /// Throws a DomainError with the characters that were found at a position.
  [[noreturn]] void fail_unexpected(std::size_t position) const;
  [[noreturn]] void fail(std::size_t position, const std::string& what) const;

 private:
  struct Digits;

  char peek(std::size_t ahead = 0) const;
  bool take_word(std::string_view word);
  Digits take_digits(int base);
  long long take_exponent(char letter);
  Exact decimal_value(const Digits& digits, long long exponent) const;
  Exact binary_value(const Digits& digits, int bits, long long exponent) const;

  std::string_view text_;
  Range range_;
  std::size_t at_ = 0;
};

}  // namespace mct::io_detail
