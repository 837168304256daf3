// `mct train markov`.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/device_option.hpp"
#include "apps/mct/quick.hpp"
#include "apps/mct/ranges.hpp"
#include "apps/mct/train/deviation.hpp"
#include "apps/mct/train/finished_runs.hpp"
#include "apps/mct/train/markov.hpp"
#include "apps/mct/train/outputs.hpp"
#include "apps/mct/train/strategy_arm.hpp"
#include "output/progress.hpp"

namespace mct::cli::train::markov_command {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  MarkovOptions options;
  std::vector<std::string> strategies{"all"};
  std::vector<double> beta2{0.999, 0.95};
  int seeds = 5;
  fs::path out;
  bool resume = false;
};

constexpr int quick_seeds = 1;
constexpr std::int64_t quick_steps = 1500;

/// The runs of one strategy with one beta2.
struct Runs {
  std::vector<double> divergences;
  MarkovResult mean;

  void add(const MarkovResult& run) {
    divergences.push_back(run.divergence);
    const auto towards = [n = double(divergences.size())](double& average, double value) {
      average += (value - average) / n;
    };
    towards(mean.divergence, run.divergence);
    towards(mean.lost, run.lost);
    towards(mean.lost_v, run.lost_v);
    towards(mean.descent_quality, run.descent_quality);
  }
  /// Standard deviation of the divergence between seeds.
  double deviation() const { return sample_deviation(divergences, mean.divergence); }
};

nlohmann::json json_of(const MarkovResult& result) {
  return {{"divergence", result.divergence},
          {"lost", result.lost},
          {"lost_v", result.lost_v},
          {"descent_quality", result.descent_quality}};
}
MarkovResult result_of(const nlohmann::json& line) {
  return {number_from(line.at("divergence")), number_from(line.at("lost")),
          number_from(line.at("lost_v")), number_from(line.at("descent_quality"))};
}

std::vector<std::string> row_of(const StrategyArm& arm, const Runs& runs) {
  return {arm.name,
          fmt::format("{:g}", layout_of(arm.strategy).bytes()),
          fmt::format("{:.4f}", runs.mean.divergence),
          fmt::format("{:.4f}", runs.deviation()),
          fmt::format("{:.4f}", runs.divergences.front()),
          fmt::format("{:.1f}", runs.mean.lost),
          fmt::format("{:.1f}", runs.mean.lost_v),
          fmt::format("{:.4f}", runs.mean.descent_quality)};
}

void run(const CLI::App& command, Arguments& arguments) {
  const Quick quick(command);
  const auto arms = strategy_arms(arguments.strategies);
  quick.set("--seeds", arguments.seeds, quick_seeds);
  quick.set("--steps", arguments.options.steps, quick_steps);
  MarkovOptions& options = arguments.options;
  if (options.steps <= options.warmup)
    throw DomainError(fmt::format("--steps {} is not above the {} steps of the warm-up",
                                  options.steps, options.warmup));
  FinishedRuns finished(arguments.out, "markov.jsonl",
                        {{"steps", options.steps}, {"lr", options.lr}}, arguments.resume);
  const std::uint64_t total = arms.size() * arguments.beta2.size() *
                              std::uint64_t(arguments.seeds) * std::uint64_t(options.steps);
  std::uint64_t before = 0;
  output::ProgressBar bar("markov", total, "steps");
  std::string text;
  for (const double beta2 : arguments.beta2) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& arm : arms) {
      Runs runs;
      for (int seed = 1; seed <= arguments.seeds; ++seed) {
        options.beta2 = beta2;
        options.seed = std::uint64_t(seed);
        const auto line =
            finished.get({{"strategy", arm.name}, {"beta2", beta2}, {"seed", seed}}, [&] {
              return json_of(train_markov(arm, options, [&](std::int64_t step) {
                bar.update(before + std::uint64_t(step), total);
              }));
            });
        runs.add(result_of(line));
        before += std::uint64_t(options.steps);
      }
      rows.push_back(row_of(arm, runs));
    }
    text += fmt::format("beta2 = {:g}, {} steps, seeds 1 to {}\n\n", beta2, options.steps,
                        arguments.seeds) +
            table_text({"strategy", "bytes", "KL", "deviation", "KL, seed 1", "lost %", "lost v %",
                        "EDQ / norm"},
                       rows) +
            "\n";
  }
  bar.finish();
  fmt::print("{}", text);
}

void describe_markov(CLI::App& command, Arguments& arguments) {
  command.description(
      "A language model with an exact error: the mean Kullback-Leibler divergence over all 1024\n"
      "contexts of an order-2 Markov source of 32 symbols, for each strategy of AdamW with "
      "bfloat16\n"
      "parameters (4768 of them).");
  add_strategy_options(command, arguments.strategies, arguments.beta2);
  command.add_option("--seeds", arguments.seeds, "Runs with seeds 1, 2, ... of each")
      ->check(CLI::Range(1, 1000));
  command.add_option("--steps", arguments.options.steps, "Steps of each run")
      ->check(CLI::Range(1, 100'000'000));
  command.add_option("--lr", arguments.options.lr, "Learning rate")->check(not_negative());
  add_run_options(command, "markov.jsonl", arguments.out, arguments.resume);
  add_quick(command, fmt::format("{} steps, {} seed", quick_steps, quick_seeds));
  add_device_option(command, models_are_on_the_cpu);
}

const Command command("train markov", describe_markov, run);

}  // namespace
}  // namespace mct::cli::train::markov_command
