// Numbers that JSON does not have: its library would write null for them.
#pragma once

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace mct::output {

/// Numbers that are not finite, at whatever depth, become the texts "nan", "inf" and "-inf".
void name_nonfinite(auto& json) {
  if (json.is_structured()) {
    for (auto& part : json) name_nonfinite(part);
  } else if (json.is_number_float()) {
    const double x = json;
    if (!std::isfinite(x)) json = std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
  }
}

/// A number, also as name_nonfinite leaves it. Throws what the library throws for anything else.
double number_from(const auto& json) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (json == "inf") return infinity;
  return json == "-inf" ? -infinity : double(json);
}

}  // namespace mct::output
