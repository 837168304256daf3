#include "src/pictures/svg_text.hpp"

#include <charconv>
#include <cstddef>

namespace mct::embed {

void append(std::string& out, double value) {
  char text[32];
  const auto result =
      std::to_chars(text, text + sizeof text, value + 0.0, std::chars_format::fixed, 1);
  std::string_view digits(text, std::size_t(result.ptr - text));
  if (digits.ends_with(".0")) digits.remove_suffix(2);
  out += digits == "-0" ? "0" : digits;
}

}  // namespace mct::embed
