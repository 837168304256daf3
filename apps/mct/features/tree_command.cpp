// `mct features tree`: a function of a hierarchy, learned from hyperbolic Laplacian features and
// from random Fourier features.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/quick.hpp"
#include "apps/mct/ranges.hpp"
#include "apps/mct/train/deviation.hpp"
#include "apps/mct/train/outputs.hpp"
#include "mctensor/attention/hyla.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "mctensor/nn/all.hpp"
#include "mctensor/optim/all.hpp"
#include "output/progress.hpp"

namespace mct::cli::features::tree_command {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  int seeds = 10;
  int depth = 8;
  int features = 400;
  double step = 0.4;
  int descent = 1000;
  std::vector<double> deviations = {0.3, 1, 2, 4, 8, 16};
  fs::path out;
};

/// The leaves of a binary tree: (leaves, 2) points of the disk and a number for each.
struct Tree {
  Tensor<double> points, values;
  double variance = 0;
};

/// The value of a leaf is the sum of normal random numbers of its ancestors.
Tree random_tree(const Arguments& arguments, std::uint64_t seed) {
  const std::int64_t leaves = std::int64_t(1) << arguments.depth;
  Tree tree = {Tensor<double>({leaves, 2}), Tensor<double>({leaves}), 0};
  const auto numbers = randn<double>({leaves}, seed);  // of node k, whose parent is k / 2
  const double radius = std::tanh(arguments.step * arguments.depth / 2);
  for (std::int64_t i = 0; i < leaves; ++i) {
    const double angle = 2 * M_PI * (double(i) + 0.5) / double(leaves);
    tree.points.set({i, 0}, radius * std::cos(angle));
    tree.points.set({i, 1}, radius * std::sin(angle));
    for (std::int64_t node = (leaves + i) / 2; node > 1; node /= 2)
      tree.values.data()[i] += numbers.data()[node];
  }
  tree.variance = mean(square(tree.values - mean(tree.values))).item();
  return tree;
}

/// The mean squared error at odd leaves, over the variance, of a linear function of the features.
/// The function is learned at the even leaves.
double test_error(const Arguments& arguments, const Tree& tree, const Tensor<double>& features) {
  const std::int64_t leaves = features.size(0);
  const Variable<double> known(features.slice(0, 0, leaves, 2));
  const Variable<double> weights(zeros<double>({features.size(1)}), true);
  optim::Adam<double> adam({weights}, {.lr = 0.05, .weight_decay = 1e-5});
  for (int step = 0; step < arguments.descent; ++step) {
    nn::mse_loss(matmul(known, weights), tree.values.slice(0, 0, leaves, 2)).backward();
    adam.step();
    adam.zero_grad();
  }
  const auto guess = matmul(features.slice(0, 1, leaves, 2), weights.value());
  return mean(square(guess - tree.values.slice(0, 1, leaves, 2))).item() / tree.variance;
}

/// The errors with one deviation, for each seed.
struct Errors {
  std::vector<double> hyla, fourier;
};

Errors errors_of(const Arguments& arguments, double deviation, output::ProgressBar& bar,
                 std::size_t& done, std::size_t all) {
  const geometry::PoincareBall<double> ball(1);
  Errors errors;
  for (int seed = 1; seed <= arguments.seeds; ++seed) {
    const Tree tree = random_tree(arguments, 2 * std::uint64_t(seed));
    const std::uint64_t drawn = 2 * std::uint64_t(seed) + 1;
    const auto waves = attention::random_waves<double>(arguments.features, 2, deviation, drawn);
    const auto plane = attention::fourier_waves<double>(arguments.features, 2, deviation, drawn);
    errors.hyla.push_back(
        test_error(arguments, tree, attention::hyla_features(ball, tree.points, waves)));
    errors.fourier.push_back(
        test_error(arguments, tree, attention::fourier_features(tree.points, plane)));
    bar.update(++done, all);
  }
  return errors;
}

std::string mean_text(const std::vector<double>& values) {
  double mean = 0;
  for (const double x : values) mean += x / double(values.size());
  return fmt::format("{:.3f} ± {:.3f}", mean, train::sample_deviation(values, mean));
}

void run(const CLI::App& command, Arguments& arguments) {
  const Quick quick(command);
  quick.set("--seeds", arguments.seeds, 2);
  quick.set("--depth", arguments.depth, 5);
  quick.set("--features", arguments.features, 50);
  quick.set(arguments.descent, 50);
  if (!arguments.out.empty()) train::prepare_directory(arguments.out);
  std::vector<std::vector<std::string>> rows;
  std::vector<nlohmann::json> lines;
  output::ProgressBar bar("tree", arguments.deviations.size() * std::size_t(arguments.seeds),
                          "trees");
  std::size_t done = 0;
  const std::size_t all = arguments.deviations.size() * std::size_t(arguments.seeds);
  for (const double deviation : arguments.deviations) {
    const Errors errors = errors_of(arguments, deviation, bar, done, all);
    int wins = 0;
    for (std::size_t i = 0; i < errors.hyla.size(); ++i) wins += errors.hyla[i] < errors.fourier[i];
    rows.push_back({fmt::format("{:g}", deviation), mean_text(errors.hyla),
                    mean_text(errors.fourier), fmt::format("{}", wins)});
    lines.push_back({{"deviation", deviation}, {"hyla", errors.hyla}, {"fourier", errors.fourier}});
  }
  bar.finish();
  fmt::print(
      "{} leaves on a circle of radius {:g}, {} features, seeds 1 to {}: error at every other "
      "leaf\n"
      "over the variance, mean and standard deviation\n\n{}",
      1 << arguments.depth, arguments.step * arguments.depth, arguments.features, arguments.seeds,
      train::table_text({"deviation", "HyLa", "Fourier", "HyLa better"}, rows));
  if (!arguments.out.empty()) train::write_lines(arguments.out / "hyla-tree.jsonl", lines);
}

void describe_tree(CLI::App& command, Arguments& arguments) {
  command.description(
      "A function of the leaves of a binary tree (each has the sum of its ancestors' normal "
      "random\n"
      "numbers), learned at every other leaf from hyperbolic Laplacian features and from random\n"
      "Fourier features of the leaves' places in the disk (docs/hyla.md).");
  command.add_option("--seeds", arguments.seeds, "Trees and draws of features")
      ->check(CLI::Range(1, 10'000));
  command.add_option("--depth", arguments.depth, "Of the tree, which has 2^depth leaves")
      ->check(CLI::Range(2, 12));
  command.add_option("--step", arguments.step, "Leaves lie at this times the depth")
      ->check(between(0.01, 3.0));
  command.add_option("--features", arguments.features, "How many of either kind")
      ->check(CLI::Range(1, 100'000));
  command
      .add_option("--deviations", arguments.deviations,
                  "Standard deviations of frequencies, with commas")
      ->delimiter(',')
      ->check(positive());
  command.add_option("--out", arguments.out, "Write hyla-tree.jsonl into this directory [none]");
  add_quick(command, "32 leaves, 50 features, 2 seeds");
}

const Command command("features tree", describe_tree, run);

}  // namespace
}  // namespace mct::cli::features::tree_command
