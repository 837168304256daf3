// The control of an AdamW step by the programs that have read its gradients, and the control of
// those programs by the host. All of it lies in global memory.
#pragma once

#include <cstdint>

#include "mctensor/optim/device_adamw_groups.hpp"
#include "src/optim/kernels/adamw_table.hpp"

namespace mct::cuda {

/// Takes the place of the constants of the same names, which the host does not know.
struct alignas(16) StepControl {
  float grad_scale;
  std::int32_t skip;  // not 0: everything stays as it is
  float correction1, correction2, step_size, lr, decay, metric_scale;
  std::uint64_t random[2];
  std::int32_t phase;  // the number of the step modulo AdamWOptions::metric_sample
  std::int32_t unused[3];

  MCT_HD void set(optim_detail::AdamWConstants& c) const {
    c.grad_scale = grad_scale;
    c.correction1 = correction1;
    c.correction2 = correction2;
    c.step_size = step_size;
    c.lr = lr;
    c.decay = decay;
    c.metric_scale = metric_scale;
    c.random[0] = random[0];
    c.random[1] = random[1];
  }
  MCT_HD static StepControl of(const optim_detail::AdamWConstants& c) {
    return {c.grad_scale,
            0,
            c.correction1,
            c.correction2,
            c.step_size,
            c.lr,
            c.decay,
            c.metric_scale,
            {c.random[0], c.random[1]},
            0,
            {}};
  }
};

/// The host's options for a step of a list.
struct alignas(16) StepPlan {
  optim::AdamWOptions options;
  /// The number of this step, unless the device counts.
  std::int64_t step = 1;
  /// Null, or the number of steps taken. This step is added to it unless it is skipped.
  std::int64_t* steps = nullptr;
  /// If not null: the learning rate, a float or a double, in the place of options.lr and schedule.
  const float* lr = nullptr;
  const double* long_lr = nullptr;
  double peak_lr = 0;  // the highest rate of its schedule
  /// Not 0: the 16-bit format, to which constants of strict arithmetic are rounded, is half.
  std::int64_t is_half = 0;
};

/// The results, for a host that asks for them.
struct alignas(16) GradientReport {
  double norm;             // StepReport::grad_norm: grad_scale included, before clipping
  std::int64_t nonfinite;  // StepReport::nonfinite
  std::int64_t skipped;    // whatever the reason
  /// 0, or 1 + the number of a list with a constant that became infinite, or 0 though it is not 0,
  /// in the format of the step. The step is then skipped (the host's step throws DomainError).
  std::int64_t refused;
  double grad_scale;  // of the first list or the one that is refused, with loss scale and clipping
  double lr;          // of the same list
  std::int64_t unused[2];
};

}  // namespace mct::cuda
