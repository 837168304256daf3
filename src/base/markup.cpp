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

/// Advance widths of Helvetica's characters 32 to 126 in thousandths of the font size (Adobe Font
/// Metrics).
constexpr std::array<std::int16_t, 95> helvetica = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr double letter_width = 0.556;
constexpr double square_width = 1;
constexpr std::uint8_t first_byte_of_squares = 0xE3;  // of U+3000 and beyond

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

std::string html_page(std::string_view title, std::string_view style, std::string_view body,
                      std::string_view script) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "script-src 'unsafe-inline'; style-src 'unsafe-inline'\"/>\n<title>";
  out += escaped(title);
  out += "</title>\n<style>\n";
  out += style;
  out += "</style>\n</head>\n<body>\n";
  out += body;
  out += "<script>\n";
  out += script;
  return out + "</script>\n</body>\n</html>\n";
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const char c : text) {
    const auto byte = std::uint8_t(c);
    if ((byte & 0xC0) == 0x80) continue;  // a further byte of one character
    if (byte >= 32 && byte < 127)
      width += helvetica[byte - 32u] / 1000.0;
    else
      width += byte < first_byte_of_squares ? letter_width : square_width;
  }
  return width * size;
}

}  // namespace mct
