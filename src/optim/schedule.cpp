#include "mctensor/optim/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"

namespace mct::optim {

namespace {

void require(bool good, const std::string& what) {
  if (!good) throw DomainError("schedule: " + what);
}
void require_at_least(std::int64_t bound, const char* name, std::int64_t value) {
  require(value >= bound, std::string(name) + " " + std::to_string(value) + " is not at least " +
                              std::to_string(bound));
}
void require_factor(const char* name, double value) {
  require(value >= 0 && value <= 1,
          std::string(name) + " " + number_text(value) + " is not from 0 to 1");
}

/// The last step of warm-up and hold: the last step of all if the hold has no end.
std::int64_t end_of_hold(const Schedule& s) {
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
  return s.hold > last - s.warmup ? last : s.warmup + s.hold;
}

void check_total(const Schedule& s) {
  require(s.total > end_of_hold(s),
          "total " + std::to_string(s.total) + " does not lie beyond a warm-up of " +
              std::to_string(s.warmup) + " and a hold of " + std::to_string(s.hold) + " steps");
}

void check(const Schedule& s, std::int64_t step) {
  require_at_least(1, "step", step);
  require_at_least(0, "warmup", s.warmup);
  require_at_least(0, "hold", s.hold);
  require_factor("floor", s.floor);
  if (s.decay == Decay::cosine || s.decay == Decay::linear) check_total(s);
  if (s.decay == Decay::step) {
    require_at_least(1, "period", s.period);
    require_factor("gamma", s.gamma);
  }
}

/// How far a fall of cosine or linear has come, from 0 to 1.
double progress(const Schedule& s, std::int64_t step) {
  const std::int64_t top = end_of_hold(s);
  return std::min(1.0, double(step - top) / double(s.total - top));
}

}  // namespace

double Schedule::factor(std::int64_t step) const {
  check(*this, step);
  if (step <= warmup) return double(step) / double(warmup);
  const std::int64_t top = end_of_hold(*this);
  if (step <= top) return 1;
  constexpr double pi = 3.14159265358979323846;
  switch (decay) {
    case Decay::cosine:
      return floor + (1 - floor) * (1 + std::cos(pi * progress(*this, step))) / 2;
    case Decay::linear:
      return floor + (1 - floor) * (1 - progress(*this, step));
    case Decay::inverse_sqrt:
      return std::max(floor, std::sqrt(double(std::max<std::int64_t>(top, 1)) / double(step)));
    case Decay::step: {
      const std::int64_t drops = (step - 1 - top) / period;
      return std::max(floor, std::pow(gamma, double(drops)));
    }
    default:
      return 1;
  }
}

}  // namespace mct::optim
