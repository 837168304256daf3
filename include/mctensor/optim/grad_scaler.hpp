// Scales losses, so that gradients in short formats do not underflow.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

#include "mctensor/error.hpp"
#include "mctensor/optim/gradients.hpp"
#include "mctensor/optim/loss_scale.hpp"
#include "mctensor/optim/mc_adamw.hpp"
#include "mctensor/optim/optimizer.hpp"

namespace mct::optim {

/// Throws DomainError, which names the option and its value, unless init_scale > 0, growth_factor >
/// 1, 0 < backoff_factor < 1 and growth_interval >= 1.
void validate(const GradScalerOptions& options);

/// Scales losses as torch.amp.GradScaler does. In each iteration call scale(loss).backward(),
/// step(optimizer) for each optimizer, and update(). A step with an infinite or NaN gradient is
/// skipped, and the scale then becomes smaller.
class GradScaler {
 public:
  explicit GradScaler(const GradScalerOptions& options = {});

  double get_scale() const { return scale_; }
  const GradScalerOptions& options() const { return options_; }
  /// The number of iterations in a row without a skipped step since the scale last changed.
  std::int64_t growth_steps() const { return growth_steps_; }

  /// Multiplies the loss, a variable, by the scale.
  template <class Loss>
  auto scale(const Loss& loss) const {
    return loss * scale_;
  }

  /// Divides the gradients of an optimizer by the scale and rounds them to their type, so that they
  /// can be clipped before step(). Without this call step() divides them. Throws DomainError if
  /// unscale or step was called for this optimizer since the last update().
  template <class T, int N>
  void unscale(Optimizer<T, N>& optimizer) {
    begin(&optimizer, Stage::unscaled);
    for (const auto& group : optimizer.groups()) scale_gradients(group.parameters, 1 / scale_);
  }
  /// A step with unscaled gradients. Throws DomainError if the optimizer has taken a step since the
  /// last update().
  template <class T, int N>
  StepReport step(Optimizer<T, N>& optimizer) {
    if (!is_unscaled(&optimizer)) unscale(optimizer);
    begin(&optimizer, Stage::stepped);
    return note(optimizer.step());
  }
  /// A step of McAdamW. Gradients in memory stay scaled, because they may have only 16 bits;
  /// options().grad_scale is divided by the scale for this step. max_grad_norm limits the norm of
  /// the unscaled gradients. Also throws DomainError if the optimizer releases its gradients in the
  /// backward pass.
  template <class T, class P>
  StepReport step(McAdamW<T, P>& optimizer) {
    return step_scaled(optimizer, [&] { return optimizer.step(); });
  }
  template <class T, class P>
  StepReport step(McAdamW<T, P>& optimizer, double max_grad_norm) {
    return step_scaled(optimizer, [&] { return optimizer.step(max_grad_norm); });
  }

  /// Call it after the steps of an iteration. If a step was skipped, the scale is multiplied by
  /// backoff_factor, but does not fall below least_loss_scale. If no step was skipped for
  /// growth_interval iterations, the scale is multiplied by growth_factor, unless it would become
  /// infinite. Throws DomainError if no step was taken.
  void update();

  /// Writes options, scale and growth_steps(). Throws IoError.
  void save(const std::filesystem::path& path) const;
  /// Reads options, scale and growth_steps(). Throws IoError, which names a missing or invalid
  /// entry. After an error nothing has changed.
  void load(const std::filesystem::path& path);

 private:
  enum class Stage { unscaled, stepped };

  template <class AnyMcAdamW, class Step>
  StepReport step_scaled(AnyMcAdamW& optimizer, const Step& step) {
    if (optimizer.releases_gradients())
      throw DomainError(
          "GradScaler: the optimizer releases its gradients in the backward pass, which GradScaler "
          "does not support");
    begin(&optimizer, Stage::stepped);
    const double own = optimizer.options().grad_scale;
    optimizer.options().grad_scale = own / scale_;
    try {
      const StepReport report = step();
      optimizer.options().grad_scale = own;
      return note(report);
    } catch (...) {
      optimizer.options().grad_scale = own;
      throw;
    }
  }
  bool is_unscaled(const void* optimizer) const;
  void begin(const void* optimizer, Stage stage);
  StepReport note(const StepReport& report) {
    found_bad_ = found_bad_ || report.skipped;
    return report;
  }

  GradScalerOptions options_;
  double scale_;
  std::int64_t growth_steps_ = 0;
  bool found_bad_ = false;
  std::map<const void*, Stage> stages_;
};

}  // namespace mct::optim
