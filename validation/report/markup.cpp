#include "validation/report/markup.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <utility>

#include "output/number_text.hpp"

namespace mct::validation {
std::string formula_html(std::string_view text) {
  const std::string safe = escaped(text);
  const auto is_letter = [&](std::size_t i) {
    return i < safe.size() && std::isalpha(std::uint8_t(safe[i])) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < safe.size();) {
    if (safe[i] == '^') {
      std::size_t end = i + 1;
      if (end < safe.size() && safe[end] == '-') ++end;
      while (end < safe.size() && std::isdigit(std::uint8_t(safe[end])) != 0) ++end;
      if (std::isdigit(std::uint8_t(safe[end - 1])) != 0) {
        const std::string power = safe.substr(i + 1, end - i - 1);
        if (power != "1") out += "<sup>" + power + "</sup>";
        i = end;
        continue;
      }
    }
    const bool word_start = i == 0 || !is_letter(i - 1);
    if (word_start && safe.compare(i, 3, "eta") == 0 && !is_letter(i + 3)) {
      out += "\xCE\xB7";  // U+03B7
      i += 3;
      continue;
    }
    if (safe.compare(i, 3, " - ") == 0) {
      out += " \xE2\x88\x92 ";  // U+2212
      i += 3;
      continue;
    }
    out += safe[i++];
  }
  return out;
}

std::string power_of_two_html(double log2) {
  if (std::isnan(log2)) return "NaN";
  if (std::isinf(log2)) return log2 > 0 ? "infinite" : "0";
  return "2<sup>" + output::log2_label(log2) + "</sup>";
}

std::string head_html(std::initializer_list<std::string_view> columns) {
  std::string out = "<thead><tr>";
  for (const std::string_view name : columns) {
    const bool numbers = name.starts_with('#');
    out += fmt::format("<th scope=\"col\"{}>{}</th>", numbers ? " class=\"n\"" : "",
                       name.substr(numbers ? 1 : 0));
  }
  return out + "</tr></thead>";
}

std::string operation_words(const std::string& operation) {
  static const std::array<std::pair<const char*, const char*>, 13> words = {{
      {"add", "addition"},
      {"sub", "subtraction"},
      {"mul", "multiplication"},
      {"multiply", "multiplication"},
      {"div", "division"},
      {"divide", "division"},
      {"sqrt", "square root"},
      {"rsqrt", "reciprocal square root"},
      {"scale", "multiplication by one component"},
      {"mul_scalar", "multiplication by one component"},
      {"add_scalar", "addition of one component"},
      {"square", "square"},
      {"exp", "exponential"},
  }};
  for (const auto& [name, word] : words)
    if (operation == name) return word;
  return operation;
}

std::string identifier(std::string_view text) {
  std::string id;
  for (const char c : text)
    id += std::isalnum(std::uint8_t(c)) != 0 || c == '_' || c == '-' ? c : '-';
  return id;
}

}  // namespace mct::validation
