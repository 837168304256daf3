#include "output/svg_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mct::output {
namespace {

double nice_step(double span, int count, bool whole) {
  const double rough = span / std::max(1, count);
  if (!(rough > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * 0.999) {
      step = factor * power;
      break;
    }
  }
  return whole ? std::max(1.0, step) : step;
}

}  // namespace

std::vector<double> nice_ticks(double low, double high, int count, bool whole) {
  const double step = nice_step(high - low, count, whole);
  std::vector<double> ticks;
  // the index, not the tick, is counted up: no rounding errors add up
  const double first = std::ceil(low / step - 1e-9);
  const double last = std::floor(high / step + 1e-9);
  const int steps = int(std::clamp(last - first, -1.0, 100.0));
  for (int i = 0; i <= steps; ++i) {
    const double multiple = first + i;
    ticks.push_back(multiple == 0 ? 0 : multiple * step);
  }
  if (ticks.empty()) ticks.push_back(low);
  return ticks;
}

Range widened_to_ticks(Range range, int count, bool whole) {
  const double step = nice_step(range.high - range.low, count, whole);
  range.low = step * std::floor(range.low / step + 1e-9);
  range.high = step * std::ceil(range.high / step - 1e-9);
  if (range.low == range.high) range.high += step;
  return range;
}

std::string tick_label(double tick, double step) {
  const double magnitude = std::fabs(tick);
  std::string digits;
  if (magnitude >= 1e6 || (magnitude > 0 && magnitude < 1e-4)) {
    digits = fmt::format("{:.3g}", magnitude);
  } else {
    const int decimals = step > 0 ? int(std::ceil(-std::log10(step) - 1e-9)) : 0;
    digits = fmt::format("{:.{}f}", magnitude, std::clamp(decimals, 0, 6));
  }
  return tick < 0 ? "\xE2\x88\x92" + digits : digits;
}

}  // namespace mct::output
