#include "output/number_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace mct::output {

std::string count_text(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string seconds_text(double seconds) {
  if (!(seconds >= 0) || std::isinf(seconds)) return "? s";
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = std::uint64_t(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string log2_label(double log2) {
  if (std::isnan(log2)) return "NaN";
  if (std::isinf(log2)) return log2 > 0 ? "infinite" : "exact";
  const std::string digits = fmt::format("{:.1f}", std::fabs(log2));
  return log2 < 0 && digits != "0.0" ? "\xE2\x88\x92" + digits : digits;  // U+2212
}

}  // namespace mct::output
