// Reading of number texts, without rounding. Work and memory are bounded by the range of the
// component type, however long the text or large its exponent.
#include "parse.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "mctensor/error.hpp"

namespace mct::io_detail {
namespace {

// beyond any text's length; ten times as much still fits
constexpr long long exponent_limit = 1LL << 59;

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

/// The value of a digit, or 99.
int digit_value(char c) {
  c = lower(c);
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return 99;
}

std::string printable(std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  std::string r;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      r += c;
    } else {
      r += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
    }
  }
  return r;
}

/// The text, or the part around a position if it is long.
std::string quoted(std::string_view text, std::size_t position) {
  constexpr std::size_t context = 24;
  std::size_t begin = position > context ? position - context : 0;
  std::size_t end = std::min(text.size(), position + context);
  if (text.size() <= 2 * context) {
    begin = 0;
    end = text.size();
  }
  return (begin > 0 ? "\"..." : "\"") + printable(text.substr(begin, end - begin)) +
         (end < text.size() ? "...\"" : "\"");
}

}  // namespace

/// The digits of a number, the point left out.
struct NumberParser::Digits {
  std::string_view whole;
  std::string_view fraction;

  std::size_t count() const { return whole.size() + fraction.size(); }
  char operator[](std::size_t i) const {
    return i < whole.size() ? whole[i] : fraction[i - whole.size()];
  }
  /// The first digit from i on that is not 0, or count().
  std::size_t next_nonzero(std::size_t i) const {
    while (i < count() && (*this)[i] == '0') ++i;
    return i;
  }
};

void NumberParser::fail(std::size_t position, const std::string& what) const {
  throw DomainError("from_string: " + what + " at position " + std::to_string(position) + " of " +
                    quoted(text_, position));
}

void NumberParser::fail_unexpected(std::size_t position) const {
  if (text_.empty()) throw DomainError("from_string: the text is empty (position 0 of \"\")");
  if (position >= text_.size()) fail(position, "unexpected end");
  fail(position, "unexpected '" + printable(text_.substr(position, 1)) + "'");
}

char NumberParser::peek(std::size_t ahead) const {
  return at_ + ahead < text_.size() ? lower(text_[at_ + ahead]) : '\0';
}

bool NumberParser::take(char lower_case) {
  if (at_end() || peek() != lower_case) return false;
  ++at_;
  return true;
}

bool NumberParser::take_word(std::string_view word) {
  if (text_.size() - at_ < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (peek(i) != word[i]) return false;
  at_ += word.size();
  return true;
}

NumberParser::Digits NumberParser::take_digits(int base) {
  const auto take_run = [&] {
    const std::size_t begin = at_;
    while (!at_end() && digit_value(text_[at_]) < base) ++at_;
    return text_.substr(begin, at_ - begin);
  };
  Digits digits;
  digits.whole = take_run();
  if (take('.')) digits.fraction = take_run();
  if (digits.count() == 0) fail_unexpected(at_);
  return digits;
}

/// The exponent after the given letter, 0 without one, at most exponent_limit in magnitude.
long long NumberParser::take_exponent(char letter) {
  if (!take(letter)) return 0;
  const bool negative = take('-');
  if (!negative) take('+');
  if (at_end() || digit_value(text_[at_]) > 9) fail_unexpected(at_);
  long long exponent = 0;
  for (; !at_end() && digit_value(text_[at_]) <= 9; ++at_)
    exponent = std::min(exponent_limit, exponent * 10 + digit_value(text_[at_]));
  return negative ? -exponent : exponent;
}

Number NumberParser::read_number() {
  Number number;
  number.negative = take('-');
  if (!number.negative) take('+');
  if (take_word("infinity") || take_word("inf")) {
    number.kind = Number::Kind::infinity;
  } else if (take_word("nan")) {
    number.kind = Number::Kind::nan;
  } else if (peek() == '0' && peek(1) == 'x') {
    at_ += 2;
    number.hexadecimal = true;
    const Digits digits = take_digits(16);
    number.magnitude = binary_value(digits, 4, take_exponent('p'));
  } else {
    const Digits digits = take_digits(10);
    number.magnitude = decimal_value(digits, take_exponent('e'));
  }
  return number;
}

Number NumberParser::read_integer(int bits) {
  Number number;
  const Digits digits = take_digits(1 << bits);
  if (!at_end()) fail_unexpected(at_);
  number.magnitude = binary_value(digits, bits, 0);
  return number;
}

/// Digits at 10^half_smallest and above are kept, because every value at which the rounding
/// changes is a multiple of that; of the others it matters only whether all are 0.
Exact NumberParser::decimal_value(const Digits& digits, long long exponent) const {
  const std::size_t count = digits.count();
  const std::size_t first = digits.next_nonzero(0);
  if (first == count) return {};
  // digit i counts 10^(top - i)
  const long long top = exponent + static_cast<long long>(digits.whole.size()) - 1;
  const long long leading = top - static_cast<long long>(first);
  if (leading > range_.overflow) return {Integer(1), range_.overflow};
  if (leading < range_.half_smallest) return {Integer(1), range_.half_smallest - 1};

  const long long kept =
      std::min<long long>(static_cast<long long>(count), top - range_.half_smallest + 1);
  std::string text;
  for (std::size_t i = first; i < std::size_t(kept); ++i) text += digits[i];
  int power = int(top - kept + 1);
  if (digits.next_nonzero(std::size_t(kept)) != count) {
    text += '1';
    --power;
  } else {
    const std::size_t length = text.find_last_not_of('0') + 1;
    power += int(text.size() - length);
    text.resize(length);
  }

  Integer value(text);
  if (power >= 0) return {Integer(value * pow(Integer(5), unsigned(power))), power};
  // value / 10^-power to the last bit that matters, and one bit more: is there a rest?
  Integer denominator = pow(Integer(5), unsigned(-power));
  const int shift = power - range_.half_smallest;
  if (shift >= 0) {
    value <<= shift;
  } else {
    denominator <<= -shift;
  }
  Integer quotient;
  Integer rest;
  divide_qr(value, denominator, quotient, rest);
  quotient <<= 1;
  if (!rest.is_zero()) ++quotient;
  return {quotient, range_.half_smallest - 1};
}

/// As decimal_value, for digits of so many bits.
Exact NumberParser::binary_value(const Digits& digits, int bits, long long exponent) const {
  const std::size_t count = digits.count();
  const std::size_t first = digits.next_nonzero(0);
  if (first == count) return {};
  // digit i counts 2^(top - bits i)
  const long long top = exponent + (static_cast<long long>(digits.whole.size()) - 1) * bits;
  const long long leading = top - static_cast<long long>(first) * bits;
  if (leading >= range_.overflow) return {Integer(1), range_.overflow};
  if (leading + bits <= range_.half_smallest) return {Integer(1), range_.half_smallest - 1};

  const long long fitting = (top - range_.half_smallest + bits - 1) / bits + 1;
  const std::size_t kept = std::size_t(std::min<long long>(static_cast<long long>(count), fitting));
  std::vector<unsigned char> values;
  for (std::size_t i = first; i < kept; ++i)
    values.push_back(static_cast<unsigned char>(digit_value(digits[i])));
  Exact r;
  import_bits(r.mantissa, values.begin(), values.end(), unsigned(bits), true);
  r.exponent = int(top - (static_cast<long long>(kept) - 1) * bits);
  if (digits.next_nonzero(kept) != count) {
    r.mantissa = (r.mantissa << 1) + 1;
    --r.exponent;
  }
  return r;
}

}  // namespace mct::io_detail
