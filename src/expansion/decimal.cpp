// Correctly rounded decimal digits of exact binary numbers.
#include "decimal.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace mct::io_detail {
namespace {

Integer power_of_five(int exponent) { return pow(Integer(5), unsigned(exponent)); }

/// floor(log10 x), or one less.
int estimate_log10(const Exact& x) {
  constexpr std::int64_t log10_of_2 = 1292913986;  // times 2^-32, rounded down
  const std::int64_t log2 = std::int64_t(msb(x.mantissa)) + x.exponent;
  return int((log2 * log10_of_2) >> 32);
}

/// Below 10^-last every digit of x is 0.
int last_decimal(const Exact& x) { return std::max(0, -x.exponent); }

/// The digits of a positive integer. Integer::str would use the global locale's punctuation.
std::string integer_digits(Integer value) {
  constexpr int chunk_digits = 18;
  const Integer chunk_size(1000000000000000000);
  std::vector<std::uint64_t> chunks;  // the lowest first
  while (!value.is_zero()) {
    Integer quotient;
    Integer rest;
    divide_qr(value, chunk_size, quotient, rest);
    chunks.push_back(static_cast<std::uint64_t>(rest));
    value.swap(quotient);
  }
  std::string digits = std::to_string(chunks.back());
  for (std::size_t i = chunks.size() - 1; i-- > 0;) {
    const std::string chunk = std::to_string(chunks[i]);
    digits.append(chunk_digits - chunk.size(), '0');
    digits += chunk;
  }
  return digits;
}

}  // namespace

Decimal to_decimal(const Integer& value, int power) {
  if (value.is_zero()) return {};
  Decimal r;
  r.digits = integer_digits(value);
  r.exponent = power + int(r.digits.size()) - 1;
  return r;
}

Scaled divide_by_power_of_ten(const Exact& x, int power) {
  Scaled r;
  Integer numerator = x.mantissa;
  const int shift = x.exponent - power;
  if (power < 0) numerator *= power_of_five(-power);
  if (shift > 0) numerator <<= shift;
  if (power <= 0) {
    const int dropped = std::max(0, -shift);
    r.exact = dropped == 0 || int(lsb(numerator)) >= dropped;
    r.compare_to_half = compare_low_bits_to_half(numerator, dropped);
    r.quotient = numerator >> dropped;
    return r;
  }
  Integer denominator = power_of_five(power);
  if (shift < 0) denominator <<= -shift;
  Integer rest;
  divide_qr(numerator, denominator, r.quotient, rest);
  r.exact = rest.is_zero();
  r.compare_to_half = Integer(rest << 1).compare(denominator);
  return r;
}

Integer round_half_even(const Scaled& x) {
  const bool up = x.compare_to_half > 0 || (x.compare_to_half == 0 && bit_test(x.quotient, 0));
  return up ? Integer(x.quotient + 1) : x.quotient;
}

Decimal round_to_digits(const Exact& x, int digits) {
  // no power below last_decimal: the quotient is exact there and the digits after it are zeros
  int power = std::max(estimate_log10(x) - digits + 1, -last_decimal(x));
  Scaled scaled = divide_by_power_of_ten(x, power);
  if (scaled.quotient >= pow(Integer(10), unsigned(digits)))
    scaled = divide_by_power_of_ten(x, ++power);
  return to_decimal(round_half_even(scaled), power);
}

Decimal round_to_decimals(const Exact& x, int decimals) {
  const int power = -std::min(decimals, last_decimal(x));
  return to_decimal(round_half_even(divide_by_power_of_ten(x, power)), power);
}

}  // namespace mct::io_detail
