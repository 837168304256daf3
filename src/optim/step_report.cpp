#include "mctensor/optim/step_report.hpp"

#include <cmath>

namespace mct::optim {

StepReport& StepReport::operator+=(const StepReport& other) {
  elements += other.elements;
  nonfinite += other.nonfinite;
  skipped = skipped || other.skipped;
  measured += other.measured;
  updates += other.updates;
  lost_updates += other.lost_updates;
  v_updates += other.v_updates;
  lost_v_updates += other.lost_v_updates;
  update_squared += other.update_squared;
  effective_squared += other.effective_squared;
  update_times_effective += other.update_times_effective;
  return *this;
}

double StepReport::descent_quality() const {
  if (!(update_squared > 0)) return 0;
  // both sums grow with the number of elements
  const double part = measured > 0 ? double(measured) / double(elements) : 1;
  return update_times_effective / std::sqrt(update_squared * part);
}
double StepReport::relative_descent_quality() const {
  return update_squared > 0 ? update_times_effective / update_squared : 0;
}
double StepReport::lost_percentage() const {
  return updates > 0 ? 100 * double(lost_updates) / double(updates) : 0;
}
double StepReport::lost_v_percentage() const {
  return v_updates > 0 ? 100 * double(lost_v_updates) / double(v_updates) : 0;
}

}  // namespace mct::optim
