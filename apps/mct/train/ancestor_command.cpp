// `mct train ancestors`.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/device_option.hpp"
#include "apps/mct/quick.hpp"
#include "apps/mct/ranges.hpp"
#include "apps/mct/train/ancestor_task.hpp"
#include "apps/mct/train/deviation.hpp"
#include "apps/mct/train/finished_runs.hpp"
#include "apps/mct/train/outputs.hpp"
#include "apps/mct/train/start_options.hpp"
#include "mctensor/error.hpp"
#include "output/progress.hpp"

namespace mct::cli::train::ancestor_command {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  AncestorOptions options;
  std::vector<std::string> comparisons{"dot-product", "laplacian",  "umbral",
                                       "penumbral",   "half-space", "lorentz"};
  std::vector<int> widths{4, 8, 16, 32, 64, 128};
  int seeds = 3;
  fs::path out;
  bool resume = false;
};

void check(const Arguments& arguments) {
  const AncestorOptions& options = arguments.options;
  constexpr double most_leaves = 1e9;
  if (const double leaves = std::pow(options.tree.branching, options.tree.depth);
      leaves > most_leaves)
    throw DomainError(
        fmt::format("--branching {} and --depth {} give {:.0g} leaves; at most {:.0g} are possible",
                    options.tree.branching, options.tree.depth, leaves, most_leaves));
  const double pairs = double(options.tree.leaves() - 1);
  if (!(options.keys < 0.5 * pairs * std::min(options.held_out, 1 - options.held_out)))
    throw DomainError(
        fmt::format("--keys {} is too large for {} leaves, of which a part of {:g} is held out",
                    options.keys, options.tree.leaves(), options.held_out));
  for (const std::string& name : arguments.comparisons) attention::comparison_from(name);
  for (const int width : arguments.widths)
    if (width < 2) throw DomainError(fmt::format("--widths: {} is below 2", width));
}

void run(const CLI::App& command, Arguments& arguments) {
  const Quick quick(command);
  AncestorOptions& options = arguments.options;
  quick.set("--seeds", arguments.seeds, 1);
  quick.set("--widths", arguments.widths, {8});
  quick.set("--steps", options.steps, 20);
  quick.set(options.test_queries, 200);
  check(arguments);
  nlohmann::json settings{
      {"branching", options.tree.branching}, {"depth", options.tree.depth}, {"keys", options.keys},
      {"held_out", options.held_out},        {"steps", options.steps},      {"lr", options.lr},
      {"test_queries", options.test_queries}};
  // without this option, the description must stay as it was before the option existed
  if (options.start.gamma != 1) settings["start_gamma"] = options.start.gamma;
  if (options.start.radius != 1) settings["start_radius"] = options.start.radius;
  FinishedRuns finished(arguments.out, "ancestors.jsonl", settings, arguments.resume);
  std::vector<std::string> header{"comparison"};
  for (const int width : arguments.widths) header.push_back(fmt::format("d = {}", width));
  const auto total =
      std::uint64_t(arguments.seeds) * arguments.comparisons.size() * arguments.widths.size();
  output::ProgressBar bar("ancestors", total, "runs");
  std::uint64_t done = 0;
  std::vector<std::vector<std::string>> rows;
  for (const std::string& name : arguments.comparisons) {
    options.comparison = attention::comparison_from(name);
    rows.push_back({name});
    for (const int width : arguments.widths) {
      options.width = width;
      std::vector<double> accuracies;
      double mean = 0;
      for (int seed = 1; seed <= arguments.seeds; ++seed) {
        options.seed = std::uint64_t(seed);
        const auto line =
            finished.get({{"comparison", name}, {"width", width}, {"seed", seed}}, [&] {
              return nlohmann::json{{"accuracy", train_ancestors(options)}};
            });
        accuracies.push_back(number_from(line.at("accuracy")));
        mean += accuracies.back() / arguments.seeds;
        bar.update(++done, total);
      }
      rows.back().push_back(
          fmt::format("{:.1f} ± {:.1f}", mean, sample_deviation(accuracies, mean)));
    }
  }
  bar.finish();
  options.seed = 1;
  fmt::print(
      "{} leaves, {} keys, {} steps, seeds 1 to {}; per cent right on held-out pairs "
      "(chance {:.1f})\n\n{}",
      options.tree.leaves(), options.keys, options.steps, arguments.seeds, chance(options),
      table_text(header, rows));
}

void describe_ancestors(CLI::App& command, Arguments& arguments) {
  command.description(
      "Attention to the leaf of a tree that has the lowest common ancestor with the query: how\n"
      "many numbers a vector needs for it, by the way of comparison (Tseng et al. 2023, figure "
      "4).");
  AncestorOptions& options = arguments.options;
  command.add_option("--branching", options.tree.branching, "Children of an inner node")
      ->check(CLI::Range(2, 100));
  command.add_option("--depth", options.tree.depth, "Depth of the leaves")
      ->check(CLI::Range(1, 12));
  command.add_option("--comparisons", arguments.comparisons, "Ways to compare")->delimiter(',');
  add_start_options(command, options.start);
  command.add_option("--widths", arguments.widths, "Numbers of a vector")->delimiter(',');
  command.add_option("--keys", options.keys, "Leaves among which a query looks")
      ->check(CLI::Range(2, 1000));
  command.add_option("--held-out", options.held_out, "Part of the pairs that training never sees")
      ->check(between(0.01, 0.9));
  command.add_option("--steps", options.steps, "Steps of Adam")->check(CLI::Range(1, 10'000'000));
  command.add_option("--lr", options.lr, "Its rate")->check(positive());
  command.add_option("--seeds", arguments.seeds, "Runs with seeds 1, 2, ...")
      ->check(CLI::Range(1, 1000));
  add_run_options(command, "ancestors.jsonl", arguments.out, arguments.resume);
  add_quick(command, "20 steps of one width and seed");
  add_device_option(command, models_are_on_the_cpu);
}

const Command command("train ancestors", describe_ancestors, run);

}  // namespace
}  // namespace mct::cli::train::ancestor_command
