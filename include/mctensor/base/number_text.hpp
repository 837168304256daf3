// Numbers in texts that we write.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace mct {

/// The shortest decimal number that number_in reads as x again, so no two numbers look alike and
/// none looks like zero: "0.1", "1e-09" (std::to_string would say "0.000000"), "inf", "nan"; with a
/// point in every locale.
inline std::string number_text(double x) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x).ptr};
}
/// The same rounded to so many digits, at most 17: for what was computed.
inline std::string number_text(double x, int digits) {
  std::array<char, 32> text;
  char* const end = text.data() + text.size();
  return {text.data(), std::to_chars(text.data(), end, x, std::chars_format::general, digits).ptr};
}

}  // namespace mct
