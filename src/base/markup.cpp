#include "mctensor/base/markup.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace mct {
namespace {

constexpr const char* replacement = "\xEF\xBF\xBD";  // U+FFFD

/// Characters that a document must not contain: the controls, and the two non-characters that
/// XML excludes.
bool forbidden(std::string_view character) {
  const auto first = std::uint8_t(character[0]);
  if (character.size() == 1)
    return (first < 0x20 && first != '\n' && first != '\t') || first == 127;
  if (character.size() == 2) return first == 0xC2 && std::uint8_t(character[1]) < 0xA0;
  return character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return std::uint8_t(text[i]); };
  const auto first = byte(0);
  std::size_t length = 1;
  std::uint32_t code = first;
  if (first >= 0x80) {
    if (first < 0xC2 || first > 0xF4) return 0;
    length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    code = first & (0xFFu >> (length + 1));
  }
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<std::uint32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < smallest[length] || surrogate || code > 0x10FFFF ? 0 : length;
}

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(character.size());
    if (length == 0 || forbidden(character)) {
      out += replacement;
      continue;
    }
    switch (character[0]) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += character;
    }
  }
  return out;
}

}  // namespace mct
