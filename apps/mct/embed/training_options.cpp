#include "apps/mct/embed/training_options.hpp"
#include "apps/mct/ranges.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "mctensor/error.hpp"

namespace mct::cli {
namespace {

void add_optimizer_options(CLI::App& command, TrainingSettings& settings,
                           const TrainingTexts& texts) {
  command.add_option("--optimizer", settings.optimizer, texts.optimizer);
  command.add_option("--lr", settings.lr, texts.lr)->check(not_negative());
  command.add_option("--lr-peak", settings.lr_peak, texts.lr_peak)->check(between(1.0, 1e6));
  command.add_option("--beta1", settings.beta1, "Of Radam's first moment")
      ->check(between(0.0, 1.0));
  command.add_option("--beta2", settings.beta2, "Of Radam's second moment")
      ->check(between(0.0, 1.0));
  command.add_option("--eps", settings.eps, texts.eps)->check(not_negative());
  command.add_option("--longest-step", settings.longest_step, texts.longest_step)
      ->check(positive());
}

}  // namespace

void add_training_options(CLI::App& command, TrainingSettings& settings,
                          const TrainingTexts& texts) {
  const auto a_count = CLI::Range(std::int64_t(1), std::int64_t(1'000'000'000));
  command.add_option("--epochs", settings.epochs, texts.epochs)->check(a_count);
  command.add_option("--batch", settings.batch, texts.batch)
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1 << 20)));
  command.add_option("--negatives", settings.negatives, texts.negatives)
      ->check(CLI::Range(1, 4096));
  command.add_option("--sharpness", settings.sharpness, texts.sharpness)->check(positive());
  command.add_option("--burn-in", settings.burn_in, texts.burn_in)->check(not_negative());
  command.add_option("--cool-down", settings.cool_down, texts.cool_down)->check(not_negative());
  command.add_option("--init", settings.init, "Points begin within this of the origin")
      ->check(between(0.0, 0.25));
  command.add_option("--radius", settings.radius, "K: the curvature is -1/K^2")->check(positive());
  command
      .add_option("--learn-radius", settings.radius_lr,
                  "Learn the radius, too, with this rate of its logarithm; 0: not")
      ->check(not_negative());
  command.add_option("--seed", settings.seed, "Of everything that is drawn");
  add_optimizer_options(command, settings, texts);
}

CLI::Option* add_run_options(CLI::App& command, RunSettings& settings, const char* out,
                             const char* resume) {
  CLI::Option* const directory =
      command.add_option("-o,--out", settings.out, out)->type_name("DIR");
  command.add_flag("--resume", settings.resume,
                   fmt::format("Go on with the training in --out: the results have the same bits "
                               "as without the stop{}",
                               resume));
  command
      .add_option("--checkpoint-every", settings.checkpoint_every,
                  "Seconds between two checkpoints of a run")
      ->check(not_negative());
  return directory;
}

std::optional<embed::Optimizer> given_optimizer(const TrainingSettings& settings) {
  if (!settings.optimizer) return {};
  return embed::optimizer_from(*settings.optimizer);
}

void put_given(const TrainingSettings& settings, embed::TrainOptions& options) {
  options.batch = settings.batch.value_or(options.batch);
  options.epochs = settings.epochs.value_or(options.epochs);
  options.burn_in = settings.burn_in.value_or(options.burn_in);
  options.cool_down = settings.cool_down.value_or(options.cool_down);
  options.lr_peak = settings.lr_peak.value_or(settings.lr ? 1 : options.lr_peak);
  if (settings.cool_down && options.lr_peak == 1)
    throw DomainError(fmt::format(
        "--cool-down {}: the rate stays and has nothing to fall from; --lr-peak lets it "
        "rise",
        *settings.cool_down));
  options.lr = settings.lr.value_or(options.lr);
  options.beta1 = settings.beta1;
  options.beta2 = settings.beta2;
  options.eps = settings.eps.value_or(options.eps);
  options.negatives = settings.negatives;
  options.sharpness = settings.sharpness.value_or(options.sharpness);
  options.init = settings.init;
  options.longest_step = settings.longest_step.value_or(options.longest_step);
  options.radius_lr = settings.radius_lr;
  options.seed = settings.seed;
}

nlohmann::ordered_json training_json(const embed::TrainOptions& options) {
  nlohmann::ordered_json r{{"batch", options.batch},
                           {"epochs", options.epochs},
                           {"burn-in", options.burn_in},
                           {"optimizer", std::string(name_of(options.optimizer))},
                           {"lr", options.lr},
                           {"negatives", options.negatives},
                           {"sharpness", options.sharpness},
                           {"init", options.init},
                           {"longest-step", options.longest_step},
                           {"learn-radius", options.radius_lr},
                           {"seed", options.seed}};
  if (options.lr_peak > 1)
    r.update({{"lr-peak", options.lr_peak}, {"cool-down", options.cool_down}});
  // JSON has no such number
  if (!std::isfinite(options.longest_step)) r.erase("longest-step");
  if (options.optimizer == embed::Optimizer::radam)
    r.update({{"beta1", options.beta1}, {"beta2", options.beta2}, {"eps", options.eps}});
  return r;
}

}  // namespace mct::cli
