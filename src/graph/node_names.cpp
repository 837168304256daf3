#include "src/graph/node_names.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

#include "mctensor/base/markup.hpp"
#include "mctensor/base/text_lines.hpp"

namespace mct::embed {
namespace {

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
    const std::size_t length = utf8_length(name.substr(i));
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
