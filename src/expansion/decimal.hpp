// Correctly rounded and shortest decimal digits of exact binary numbers.
#pragma once

#include <string>

#include "exact.hpp"

namespace mct::io_detail {

/// d.ddd * 10^exponent, the digits as characters; no digits means 0. Digits that a caller wants
/// beyond the last one are zeros.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

/// value * 10^power, value >= 0, with all digits of value.
Decimal to_decimal(const Integer& value, int power);

/// A positive x rounded half-even to so many significant digits. Another digit 0 may follow.
Decimal round_to_digits(const Exact& x, int digits);

/// A positive x rounded half-even to so many decimals.
Decimal round_to_decimals(const Exact& x, int decimals);

/// The shortest decimal that nearest_limbs<T>(., count) maps to the same sum as the positive x
/// itself, and of those the closest. Requires that x rounded to T is finite.
template <class T>
Decimal shortest_decimal(const Exact& x, int count);

/// floor(x / 10^power) of a positive x, and the part that was cut off.
struct Scaled {
  Integer quotient;
  bool exact;           ///< nothing was cut off
  int compare_to_half;  ///< the cut-off part against 1/2: -1, 0, 1
};
Scaled divide_by_power_of_ten(const Exact& x, int power);

/// Scaled rounded half-even to an integer.
Integer round_half_even(const Scaled& x);

}  // namespace mct::io_detail
