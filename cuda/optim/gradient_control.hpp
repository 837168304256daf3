// From the sums over gradients to the control of the steps: clipping, skipping, the loss scale, and
// the constants that change from step to step.
#pragma once

#include "cuda/optim/float_sides.hpp"
#include "cuda/optim/gradient_sums.hpp"
#include "cuda/optim/step_control.hpp"
#include "cuda/optim/write_words.hpp"
#include "mctensor/optim/clip_factor.hpp"
#include "mctensor/optim/loss_scale.hpp"
#include "src/optim/step_constants.hpp"

namespace mct::cuda {

/// Adds up the totals of all lists. One block.
struct SumGradients {
  static constexpr int threads = 256, blocks_per_sm = 1;

  const GradientTotals* of_blocks;
  int blocks;
  /// May be null. If not 0, gradients are not finite, here or elsewhere.
  const float* found_inf;
  GradientTotals* total;
  /// May be null. Gets 1 if found_inf or a gradient says that the step must be skipped, else 0.
  std::int32_t* vote;

  template <class Team>
  struct Shared {
    BlockTotals<threads, 1, 1, Team> totals;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const GradientTotals all = sum_of_blocks(team, shared.totals, of_blocks, blocks);
    if (team.rank() != 0) return;
    store_record(team, total, all);
    if (vote == nullptr) return;
    bool skips = all.count[0] > 0;
    if (found_inf != nullptr) skips = skips || team.template load<1>(found_inf)[0] != 0;
    team.template store<1>(vote, Pack<std::int32_t, 1>{{std::int32_t(skips)}});
  }
};

/// Rounds constants for set_step_constants. Sets *refused if a constant cannot be rounded.
class DeviceRounded {
 public:
  MCT_HD DeviceRounded(bool strict, bool is_half, bool* refused)
      : strict_(strict), is_half_(is_half), refused_(refused) {}

  MCT_HD bool strict() const { return strict_; }
  MCT_HD float operator()(const char*, double x) const {
    const float rounded = !strict_ ? float(x) : is_half_ ? float(half(x)) : float(bfloat16(x));
    if (!detail::is_finite_mask(rounded) || (rounded == 0 && x != 0)) *refused_ = true;
    return rounded;
  }

 private:
  bool strict_, is_half_;
  bool* refused_;
};

/// Does on the device what McAdamW::step(max_grad_norm) and GradScaler do between the gradients and
/// the update, and computes the constants of each list's step. One block.
struct ControlSteps {
  static constexpr int threads = 32, blocks_per_sm = 1;

  const GradientTotals* total;  // of SumGradients
  const StepPlan* plans;        // one for each list; their step numbers differ
  int count;
  double max_norm;  // infinite: no clipping
  /// May be null: gradients are divided by this.
  const float* grad_scale;
  /// May be null. If not 0, the step is skipped.
  const float* found_inf;
  const std::int32_t* vote;
  /// May be null. The gradients are those of a loss times this scale, which is updated afterwards.
  optim::LossScale* loss_scale;
  optim::GradScalerOptions scaler;
  StepControl* controls;  // one for each list
  GradientReport* report;
  SkipCounts* skips;

  template <class Team>
  struct Shared {};

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>&) const {
    const GradientTotals all = load_record(team, total);
    const bool bad = all.count[0] > 0 || is_set(team, found_inf) || is_set(team, vote);
    double divisor = 1;
    if (grad_scale != nullptr) divisor = double(team.template load<1>(grad_scale)[0]);
    optim::LossScale loss;
    if (loss_scale != nullptr) {
      loss = load_record(team, loss_scale);
      divisor *= loss.scale;
    }
    const double root = detail::square_root(all.sum[0]);
    Found found;
    for (int i = team.rank(); i < count; i += threads) control(team, i, root, divisor, found);
    team.barrier();  // all have read loss_scale, which is written below
    const int refused = least_of_warp(team, found.refused);
    const bool skipped = bad || refused < count;
    for (int i = team.rank(); i < count; i += threads) finish(team, i, skipped);
    if (refused < count ? found.refused == refused : team.rank() == 0)
      store_record(team, report,
                   {found.norm,
                    all.count[0],
                    std::int64_t(skipped),
                    !bad && refused < count ? refused + 1 : 0,
                    found.grad_scale,
                    found.lr,
                    {0, 0}});
    if (team.rank() != 0) return;
    SkipCounts skips_now = load_record(team, skips);
    skips_now.all += int(skipped);
    skips_now.in_a_row = skipped ? skips_now.in_a_row + 1 : 0;
    store_record(team, skips, skips_now);
    if (loss_scale != nullptr && (bad || !skipped))
      store_record(team, loss_scale, optim::next_loss_scale(loss, scaler, bad));
  }

 private:
  /// The results of a thread for its first refused list, or else for its first list.
  struct Found {
    int refused = 0x7fffffff;
    double norm = 0, grad_scale = 0, lr = 0;
  };

  template <class Team, class X>
  MCT_BLOCK static bool is_set(Team& team, const X* flag) {
    return flag != nullptr && team.template load<1>(flag)[0] != 0;
  }
  template <class Team>
  MCT_BLOCK static int least_of_warp(Team& team, int x) {
    MCT_UNROLL
    for (int mask = 16; mask > 0; mask /= 2) {
      const int other = team.shuffle_xor(x, mask);
      x = other < x ? other : x;
    }
    return x;
  }

  /// Computes the constants of list i. `finish` sets its steps and skips.
  template <class Team>
  MCT_BLOCK void control(Team& team, int i, double root, double divisor, Found& found) const {
    StepPlan plan = load_record(team, plans + i);
    if (plan.steps != nullptr) plan.step = team.template load<1>(plan.steps)[0] + 1;
    bool refused = false;
    if (plan.lr != nullptr || plan.long_lr != nullptr) {
      const double lr = plan.lr != nullptr ? double(team.template load<1>(plan.lr)[0])
                                           : team.template load<1>(plan.long_lr)[0];
      refused = !(lr >= 0) || !detail::is_finite_mask(lr);
      optim_detail::set_rate(plan.options, lr, plan.peak_lr);
    }
    double scale = plan.options.grad_scale / divisor;
    const double norm = detail::magnitude(scale) * root;
    scale *= optim::clip_ratio(norm, max_norm);
    const DeviceRounded rounded(plan.options.arithmetic == optim::Arithmetic::strict,
                                plan.is_half != 0, &refused);
    optim_detail::AdamWConstants c{};
    optim_detail::set_step_constants(plan.options, plan.step, rounded, c);
    c.grad_scale = rounded("grad_scale", scale);
    if (c.grad_scale == 0) refused = true;
    StepControl now = StepControl::of(c);
    now.phase = int(plan.step % plan.options.metric_sample);
    store_record(team, controls + i, now);
    const bool is_first = i == team.rank() || (refused && found.refused > i);
    if (is_first) found = {found.refused, norm, scale, plan.options.lr};
    if (refused && found.refused > i) found.refused = i;
  }
  /// Counts the step of list i, or marks it as skipped.
  template <class Team>
  MCT_BLOCK void finish(Team& team, int i, bool skipped) const {
    if (skipped) {
      StepControl now = load_record(team, controls + i);
      now.skip = 1;
      store_record(team, controls + i, now);
      return;
    }
    std::int64_t* const steps = load_record(team, plans + i).steps;
    if (steps == nullptr) return;
    const std::int64_t taken = team.template load<1>(steps)[0];
    team.template store<1>(steps, Pack<std::int64_t, 1>{{taken + 1}});
  }
};

}  // namespace mct::cuda

/// The list of programs that look at gradients, for the source that compiles them.
#define MCT_FOR_EACH_GRADIENT_PROGRAM(DO) \
  DO(GradientSums<float>)                 \
  DO(GradientSums<half>)                  \
  DO(GradientSums<bfloat16>)              \
  DO(SumGradients)                        \
  DO(ControlSteps)                        \
  DO(WriteWords)                          \
  MCT_FOR_EACH_FLOAT_PROGRAM(DO)
