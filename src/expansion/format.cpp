// Texts of expansions: the printf notations, the shortest text, hexadecimal limbs.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "decimal.hpp"
#include "instantiate.hpp"
#include "mctensor/base/environment.hpp"
#include "mctensor/expansion/io.hpp"

namespace mct {
namespace io_detail {
namespace {

/// The digit at 10^position.
char digit_at(const Decimal& x, int position) {
  const int index = x.exponent - position;
  return index >= 0 && index < int(x.digits.size()) ? x.digits[std::size_t(index)] : '0';
}

void append_digits(std::string& text, const Decimal& x, int position, int count) {
  const int known = std::clamp(position - x.exponent + int(x.digits.size()), 0, count);
  for (int i = 0; i < known; ++i) text += digit_at(x, position - i);
  text.append(std::size_t(count - known), '0');
}

std::string fixed_text(const Decimal& x, int decimals, bool point) {
  std::string text;
  const int top = std::max(x.exponent, 0);
  append_digits(text, x, top, top + 1);
  if (decimals > 0 || point) text += '.';
  append_digits(text, x, -1, decimals);
  return text;
}

std::string scientific_text(const Decimal& x, int decimals, bool point) {
  std::string text(1, digit_at(x, x.exponent));
  if (decimals > 0 || point) text += '.';
  append_digits(text, x, x.exponent - 1, decimals);
  const std::string exponent = std::to_string(std::abs(x.exponent));
  text += x.exponent < 0 ? "e-" : "e+";
  if (exponent.size() < 2) text += '0';
  return text + exponent;
}

std::string general_text(Decimal x, const NumberStyle& style) {
  // far more digits than any expansion has, and far from where int ends
  const int digits = std::clamp(style.precision, 1, 1 << 30);
  int shown = digits;
  if (!style.trailing_zeros) {
    x.digits.erase(x.digits.find_last_not_of('0') + 1);
    shown = std::max(1, int(x.digits.size()));
  }
  if (x.exponent < -4 || x.exponent >= digits) return scientific_text(x, shown - 1, style.point);
  return fixed_text(x, std::max(0, shown - 1 - x.exponent), style.point);
}

/// integer_digits: a number with more digits before the point takes the scientific notation.
std::string shortest_text(const Decimal& x, int integer_digits, bool point) {
  const int digits = std::max(1, int(x.digits.size()));
  if (x.exponent < -4 || x.exponent >= integer_digits)
    return scientific_text(x, std::max(digits - 1, int(point)), false);
  return fixed_text(x, std::max(digits - 1 - x.exponent, int(point)), false);
}

std::string hexadecimal_text(double magnitude, bool point) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, magnitude, std::chars_format::hex).ptr;
  std::string text = "0x" + std::string(buffer, end);
  if (point && text.find('.') == std::string::npos) text.insert(text.find('p'), ".");
  return text;
}

std::string special_text(double value) { return std::isnan(value) ? "nan" : "inf"; }

template <class T>
std::string limb_text(T limb, bool point) {
  const double magnitude = std::fabs(double(limb));
  return (signbit(limb) ? "-" : "") +
         (isfinite(limb) ? hexadecimal_text(magnitude, point) : special_text(magnitude));
}

template <class T, int N>
std::string decimal_text(const Exact& x, const NumberStyle& style) {
  const bool zero = x.mantissa.is_zero();
  switch (style.notation) {
    case Notation::fixed: {
      const int decimals = std::max(0, style.precision);
      return fixed_text(zero ? Decimal{} : round_to_decimals(x, decimals), decimals, style.point);
    }
    case Notation::scientific: {
      const int decimals = std::max(0, style.precision);
      // one more would overflow; an exact value has far fewer digits anyway
      const int digits = std::min(decimals, max_output_digits) + 1;
      return scientific_text(zero ? Decimal{} : round_to_digits(x, digits), decimals, style.point);
    }
    case Notation::general: {
      const int digits = std::clamp(style.precision, 1, max_output_digits);
      return general_text(zero ? Decimal{} : round_to_digits(x, digits), style);
    }
    default: {
      const int digits10 = int((N * std::numeric_limits<T>::digits - 1) * 0.30102999566398119);
      return shortest_text(zero ? Decimal{} : shortest_decimal<T>(x, N), std::max(16, digits10 + 1),
                           style.point);
    }
  }
}

std::string to_upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return text;
}

}  // namespace

template <class T, int N>
std::string format_number(const Expansion<T, N>& x, const NumberStyle& style) {
  const ExactEnvironment exact;
  // a non-finite limb 0 is the value; other limbs should be finite, but a non-finite one is shown
  T special = 0;
  for (int i = N - 1; i >= 0; --i)
    if (!isfinite(x.limb[i])) special = x.limb[i];
  Exact sum;
  bool negative = signbit(special);
  if (special == 0) {
    sum = exact_sum(x.limb, N);
    const T head = nearest<T>(sum);
    if (isinf(head)) special = head;
    negative = sum.mantissa < 0 || (sum.mantissa.is_zero() && signbit(x.limb[0]));
    sum.mantissa = abs(sum.mantissa);
  }
  std::string text;
  if (special != 0) {
    text = special_text(double(special));
  } else if (style.notation == Notation::hexadecimal) {
    negative = signbit(x.limb[0]);
    text = limb_text(fabs(x.limb[0]), style.point);
    for (int i = 1; i < N; ++i) text += "," + limb_text(x.limb[i], style.point);
  } else {
    text = decimal_text<T, N>(sum, style);
  }
  if (negative) {
    text.insert(0, 1, '-');
  } else if (style.plus != '\0') {
    text.insert(0, 1, style.plus);
  }
  return style.uppercase ? to_upper(text) : text;
}

}  // namespace io_detail

template <class T, int N>
std::string to_string(const Expansion<T, N>& x) {
  return io_detail::format_number(x, {});
}

template <class T, int N>
std::string to_string(const Expansion<T, N>& x, int digits) {
  if (digits < 1 || digits > max_output_digits)
    throw DomainError("to_string: " + std::to_string(digits) +
                      " significant digits requested, possible are 1 to " +
                      std::to_string(max_output_digits));
  io_detail::NumberStyle style;
  style.notation = io_detail::Notation::general;
  style.precision = digits;
  style.trailing_zeros = true;
  return io_detail::format_number(x, style);
}

template <class T, int N>
std::string to_hex_string(const Expansion<T, N>& x) {
  const ExactEnvironment exact;
  std::string text = io_detail::limb_text(x.limb[0], false);
  for (int i = 1; i < N; ++i) text += "," + io_detail::limb_text(x.limb[i], false);
  return text;
}

#define MCT_INSTANTIATE(T, N)                                                   \
  template std::string io_detail::format_number(const Expansion<T, N>&,         \
                                                const io_detail::NumberStyle&); \
  template std::string to_string(const Expansion<T, N>&);                       \
  template std::string to_string(const Expansion<T, N>&, int);                  \
  template std::string to_hex_string(const Expansion<T, N>&);
MCT_FOR_EACH_EXPANSION(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct
