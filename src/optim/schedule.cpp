#include "mctensor/optim/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "mctensor/error.hpp"

namespace mct::optim {

double Schedule::factor(std::int64_t step) const {
  if (step < 1) throw DomainError("schedule: step " + std::to_string(step) + " is not at least 1");
  if (step <= warmup) return double(step) / double(warmup);
  if (decay == Decay::constant) return 1;
  if (total <= warmup)
    throw DomainError("schedule: " + std::to_string(total) +
                      " steps do not reach beyond a warm-up of " + std::to_string(warmup));
  const double t = std::min(1.0, double(step - warmup) / double(total - warmup));
  constexpr double pi = 3.14159265358979323846;
  const double falling = decay == Decay::cosine ? (1 + std::cos(pi * t)) / 2 : 1 - t;
  return floor + (1 - floor) * falling;
}

}  // namespace mct::optim
