#include "src/geometry/tiling/bits.hpp"

#include <bit>
#include <iterator>
#include <utility>

#include "src/geometry/tiling/big_integer.hpp"

namespace mct::geometry::codec_detail {
namespace {

using boost::multiprecision::cpp_int;

constexpr unsigned more = 0x80;

[[noreturn]] void too_large() {
  throw IoError("an integer of more than " + std::to_string(most_integer_bits) + " bits");
}

std::vector<std::uint8_t> digits_of(const cpp_int& magnitude, unsigned bits) {
  std::vector<std::uint8_t> digits;
  if (!magnitude.is_zero()) export_bits(magnitude, std::back_inserter(digits), bits, false);
  return digits;
}

cpp_int from_digits(const std::vector<std::uint8_t>& digits, unsigned bits) {
  cpp_int magnitude;
  if (!digits.empty()) import_bits(magnitude, digits.begin(), digits.end(), bits, false);
  return magnitude;
}

}  // namespace

void Writer::gamma(std::uint64_t value) {
  const int length = std::bit_width(value);
  bits(0, length - 1);
  bits(value, length);
}

void Writer::small_vlq(std::uint64_t value) {
  for (; value >= more; value >>= 7) byte(std::uint8_t(value | more));
  byte(std::uint8_t(value));
}

void Writer::integer(const Integer& x) {
  const auto digits = digits_of(abs(to_cpp_int(x)), 8);
  small_vlq(2 * digits.size() + (x.sign() < 0 ? 1 : 0));
  for (const std::uint8_t digit : digits) byte(digit);
}

void Writer::vlq(const Integer& x) {
  cpp_int value = abs(to_cpp_int(x)) * 2;
  if (x.sign() < 0) --value;
  const auto digits = digits_of(value, 7);
  if (digits.empty()) byte(0);
  for (std::size_t i = 0; i < digits.size(); ++i)
    byte(std::uint8_t(digits[i] | (i + 1 < digits.size() ? more : 0)));
}

std::uint64_t Reader::gamma() {
  int zeros = 0;
  while (!bit())
    if (++zeros == 64) throw IoError("a number of more than 64 bits");
  return std::uint64_t(1) << zeros | bits(zeros);
}

std::uint64_t Reader::small_vlq() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 63; shift += 7) {
    const std::uint8_t b = byte();
    value |= std::uint64_t(b & (more - 1)) << shift;
    if (b < more) return value;
  }
  throw IoError("a length of more than 63 bits");
}

Integer Reader::integer() {
  const std::uint64_t head = small_vlq();
  if (head / 2 > remaining()) throw IoError("the data end within an integer");
  if (head / 2 > std::uint64_t(most_integer_bits) / 8) too_large();
  std::vector<std::uint8_t> digits(std::size_t(head / 2));
  for (std::uint8_t& digit : digits) digit = byte();
  cpp_int magnitude = from_digits(digits, 8);
  if (head % 2 != 0) magnitude = -magnitude;
  return from_cpp_int(std::move(magnitude));
}

Integer Reader::vlq() {
  std::vector<std::uint8_t> digits;
  do {
    if (digits.size() > std::size_t(most_integer_bits) / 7) too_large();
    digits.push_back(byte());
  } while (digits.back() >= more);
  for (std::uint8_t& digit : digits) digit = std::uint8_t(digit & (more - 1));
  const cpp_int value = from_digits(digits, 7);
  const bool negative = bit_test(value, 0);
  cpp_int magnitude = (value + 1) / 2;
  if (negative) magnitude = -magnitude;
  return from_cpp_int(std::move(magnitude));
}

}  // namespace mct::geometry::codec_detail
