// Writes numbers as text.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace mct {

/// The shortest decimal text from which number_in reads x again: "0.1", "1e-09", "inf", "nan". So
/// different numbers have different texts, and a small number does not look like zero
/// (std::to_string gives "0.000000"). The decimal sign is a point in every locale.
inline std::string number_text(double x) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x).ptr};
}
/// x rounded to `digits` <= 17 significant digits. For measured or computed numbers, whose last
/// digits have no meaning.
inline std::string number_text(double x, int digits) {
  std::array<char, 32> text;
  char* const end = text.data() + text.size();
  return {text.data(), std::to_chars(text.data(), end, x, std::chars_format::general, digits).ptr};
}

}  // namespace mct
