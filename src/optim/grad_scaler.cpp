#include "mctensor/optim/grad_scaler.hpp"

#include <array>
#include <string>
#include <utility>

#include "mctensor/optim/state_file.hpp"
#include "src/optim/option_checks.hpp"

namespace mct::optim {

namespace {

const StateDescription description = {{"mctensor.optimizer", "GradScaler"}};

/// The numbers in a file, with their names.
std::array<std::pair<const char*, double*>, 3> numbers_of(GradScalerOptions& options) {
  return {{{"scale", &options.init_scale},
           {"growth_factor", &options.growth_factor},
           {"backoff_factor", &options.backoff_factor}}};
}

}  // namespace

GradScaler::GradScaler(const GradScalerOptions& options)
    : options_(options), scale_(options.init_scale) {
  validate(options);
}

bool GradScaler::is_unscaled(const void* optimizer) const {
  const auto found = stages_.find(optimizer);
  return found != stages_.end() && found->second == Stage::unscaled;
}

void GradScaler::begin(const void* optimizer, Stage stage) {
  const auto found = stages_.find(optimizer);
  if (found != stages_.end() && (stage == Stage::unscaled || found->second == Stage::stepped))
    throw DomainError(std::string("GradScaler: ") +
                      (found->second == Stage::stepped ? "step" : "unscale") +
                      " was called for this optimizer already; call update() first");
  stages_[optimizer] = stage;
}

void GradScaler::update() {
  bool has_stepped = false;
  for (const auto& [optimizer, stage] : stages_)
    has_stepped = has_stepped || stage == Stage::stepped;
  if (!has_stepped)
    throw DomainError(
        "GradScaler: update() was called, but no step was taken since the last update()");
  const LossScale next = next_loss_scale({scale_, growth_steps_}, options_, found_bad_);
  scale_ = next.scale;
  growth_steps_ = next.growth_steps;
  found_bad_ = false;
  stages_.clear();
}

void GradScaler::save(const std::filesystem::path& path) const {
  GradScalerOptions now = options_;
  now.init_scale = scale_;
  StateWriter writer(description, {growth_steps_, 0, {options_.growth_interval}});
  for (const auto& [name, value] : numbers_of(now))
    writer.add(name, Tensor<double>::from_values({*value}));
  writer.save(path);
}

void GradScaler::load(const std::filesystem::path& path) {
  StateReader reader(path, description);
  const StateCounts counts = reader.counts(1);
  GradScalerOptions options = options_;
  options.growth_interval = counts.updates[0];
  for (const auto& [name, value] : numbers_of(options))
    *value = reader.state<double, 1>(name, {1}, StateValues::finite).item();
  reader.finish();
  try {
    validate(options);
  } catch (const DomainError& error) {
    reader.fail("scale", std::string("and the other entries are refused: ") + error.what());
  }
  scale_ = options.init_scale;
  options.init_scale = options_.init_scale;
  options_ = options;
  growth_steps_ = counts.steps;
  found_bad_ = false;
  stages_.clear();
}

}  // namespace mct::optim
