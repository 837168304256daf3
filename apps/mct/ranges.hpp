// Checks of options that are real numbers. (The messages of CLI11 have the largest double in full,
// and call zero out of "range 0.000000 to ...".)
#pragma once

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cmath>
#include <optional>
#include <string>

#include "mctensor/base/number_in.hpp"

namespace mct::cli {

/// A check that refuses a number with "VALUE is not WHAT" unless `is_good` accepts it; help shows
/// `shown` after the option.
template <class F>
CLI::Validator number_check(const std::string& what, const std::string& shown, const F& is_good) {
  return CLI::Validator(
      [what, is_good](const std::string& text) {
        const std::optional<double> x = number_in<double>(text);
        return x && is_good(*x) ? std::string() : text + " is not " + what;
      },
      shown);
}

inline CLI::Validator positive() {
  return number_check("a finite number above 0", "POSITIVE",
                      [](double x) { return x > 0 && std::isfinite(x); });
}
inline CLI::Validator not_negative() {
  return number_check("a finite number, 0 or more", "NONNEGATIVE",
                      [](double x) { return x >= 0 && std::isfinite(x); });
}
/// For a number from `least` to `most`, both included.
inline CLI::Validator between(double least, double most) {
  const std::string range = fmt::format("{:g} to {:g}", least, most);
  return number_check("in the range " + range, fmt::format("FLOAT in [{:g} - {:g}]", least, most),
                      [=](double x) { return least <= x && x <= most; });
}

}  // namespace mct::cli
