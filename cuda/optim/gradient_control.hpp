// From the sums over gradients to what the step is told: clipping, skipping, the loss scale.
#pragma once

#include "cuda/optim/gradient_sums.hpp"
#include "cuda/optim/step_control.hpp"
#include "mctensor/optim/clip_factor.hpp"
#include "mctensor/optim/loss_scale.hpp"

namespace mct::cuda {

/// What McAdamW::step(max_grad_norm) and GradScaler do between the gradients and the update,
/// without the host. T: what constants are rounded to, float or, where arithmetic is strict, the
/// 16-bit format. One block.
template <class T>
struct GradientControl {
  static constexpr int threads = 256, blocks_per_sm = 1;

  const GradientTotals* totals;  // of GradientSums
  double grad_scale;             // AdamWOptions::grad_scale
  double max_norm;               // infinite: no clipping
  /// May be null. The gradients are those of a loss times this scale, which then follows them.
  optim::LossScale* loss_scale;
  optim::GradScalerOptions scaler;
  StepControl* control;
  GradientReport* report;

  template <class Team>
  struct Shared {
    BlockTotals<threads, 1, 1, Team> totals;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const GradientTotals all =
        sum_of_blocks(team, shared.totals, totals, GradientSums<float>::blocks);
    if (team.rank() != 0) return;
    double scale = grad_scale;
    optim::LossScale loss;
    if (loss_scale != nullptr) {
      loss = load_record(team, loss_scale);
      scale /= loss.scale;
    }
    const double norm = detail::magnitude(scale) * detail::square_root(all.sum[0]);
    scale *= optim::clip_ratio(norm, max_norm);
    const auto rounded = float(T(scale));
    const bool refused = !detail::is_finite_mask(rounded) || rounded == 0;
    const bool bad = all.count[0] > 0;
    store_record(team, control, {rounded, std::int32_t(bad || refused)});
    store_record(team, report, {norm, all.count[0], std::int64_t(!bad && refused), scale});
    if (loss_scale != nullptr && (bad || !refused))
      store_record(team, loss_scale, optim::next_loss_scale(loss, scaler, bad));
  }
};

}  // namespace mct::cuda

/// The programs that look at gradients, for who compiles them.
#define MCT_FOR_EACH_GRADIENT_PROGRAM(DO) \
  DO(GradientSums<float>)                 \
  DO(GradientSums<half>)                  \
  DO(GradientSums<bfloat16>)              \
  DO(GradientControl<float>)              \
  DO(GradientControl<half>)               \
  DO(GradientControl<bfloat16>)
