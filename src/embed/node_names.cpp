// What a node may be called in a file.
#include "src/embed/node_names.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "src/embed/text_lines.hpp"

namespace mct::embed {
namespace {

/// The length of the character of UTF-8 that text begins with; 0 if it is none. Refused are
/// encodings that are longer than needed, surrogates and what is above U+10FFFF (RFC 3629).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? std::uint32_t(static_cast<unsigned char>(text[i])) : 0u;
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  if (first < 0xC2 || first > 0xF4) return 0;
  std::uint32_t code = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code < least[length] || surrogate || code > 0x10FFFF ? 0 : length;
}

std::string in_hexadecimal(char byte) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "0x%02X", unsigned(static_cast<unsigned char>(byte)));
  return text.data();
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string problem_without_name(std::string_view name) {
  if (name.empty()) return "an empty name";
  if (name.starts_with("\xEF\xBB\xBF")) return "a name that begins with a byte order mark";
  for (std::size_t i = 0; i < name.size();) {
    if (is_control(name[i]))
      return "a control character (" + in_hexadecimal(name[i]) + ") in a name";
    const std::size_t length = character_length(name.substr(i));
    if (length == 0) return "a name that is not UTF-8 (byte " + in_hexadecimal(name[i]) + ")";
    i += length;
  }
  if (name.front() == ' ' || name.back() == ' ') return "a name that begins or ends with a blank";
  return "";
}

}  // namespace

std::string problem_of_name(std::string_view name) {
  const std::string problem = problem_without_name(name);
  return problem.empty() ? "" : problem + ": " + shortened(name);
}

}  // namespace mct::embed
