// The report of an optimizer's step.
#pragma once

#include <cstdint>

namespace mct::optim {

/// Every optimizer sets `elements`, `nonfinite` and `skipped`. adamw_step and McAdamW set
/// `measured` and the members after it if options.metrics is true. These members are sums and
/// counts over the measured elements.
struct StepReport {
  /// The number of elements of the parameters that have a gradient.
  std::int64_t elements = 0;
  /// The number of elements with a gradient that is infinite or NaN. If there are any, the
  /// optimizers skip the step. The function adamw_step for one array does not skip the step, but
  /// leaves these elements and their moments as they are. (With split8, these moments are rounded
  /// again if the scale of their block changes.)
  std::int64_t nonfinite = 0;
  /// True if the step was skipped, because of such elements or by a SkipVote (adamw_groups.hpp).
  bool skipped = false;
  /// The norm of all gradients, if the step computes it: McAdamW with clipping, and steps on a GPU.
  double grad_norm = 0;
  /// The number of elements whose updates were measured. All are measured unless metric_sample > 1.
  std::int64_t measured = 0;
  /// The number of elements whose update is not 0, and the number of these elements whose stored
  /// value did not change (lost arithmetic: Yu 2024, Definition 3.4.2; docs/errata.md). There are
  /// counts for theta and for v. With 8-bit states, the change of v is examined before v is rounded
  /// to 8 bits.
  std::int64_t updates = 0;
  std::int64_t lost_updates = 0;
  std::int64_t v_updates = 0;
  std::int64_t lost_v_updates = 0;
  /// Sums over the elements, in double: update^2, effective^2 and update effective. `effective` is
  /// the update that arrived: the change of theta and its low component together.
  double update_squared = 0;
  double effective_squared = 0;
  double update_times_effective = 0;

  StepReport& operator+=(const StepReport& other);
  /// Effective descent quality: <update, effective> / |update|, Yu 2024 (3.5); 0 if there was no
  /// update. If nothing is lost, it is |update|. If not all elements were measured, it is an
  /// estimate for all elements.
  double descent_quality() const;
  /// descent_quality / |update|: 1 if nothing is lost.
  double relative_descent_quality() const;
  /// The percentage of updates that were lost.
  double lost_percentage() const;
  double lost_v_percentage() const;
};

}  // namespace mct::optim
