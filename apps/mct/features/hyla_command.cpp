// `mct features hyla`: how fast HyLa features approach their kernel.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/features/points_within.hpp"
#include "apps/mct/quick.hpp"
#include "apps/mct/ranges.hpp"
#include "apps/mct/train/outputs.hpp"
#include "mctensor/attention/hyla.hpp"
#include "mctensor/attention/hyla_kernel.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "output/progress.hpp"

namespace mct::cli::features::hyla_command {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  int dimension = 2;
  double deviation = 0.5;
  double radius = 5;
  int points = 1000;
  int seeds = 20;
  fs::path out;
};
constexpr std::int64_t counts[] = {50, 100, 200, 400, 700, 1000, 2000, 4000, 8000};

/// The mean of |<phi(x), phi(o)> - k(x, o)| over points and seeds.
double mean_error(const geometry::PoincareBall<double>& ball, const Arguments& arguments,
                  const Tensor<double>& x, const Tensor<double>& kernel, std::int64_t count) {
  double total = 0;
  const Tensor<double> origin({1, arguments.dimension});
  for (int seed = 1; seed <= arguments.seeds; ++seed) {
    const auto waves = attention::random_waves<double>(count, arguments.dimension,
                                                       arguments.deviation, std::uint64_t(seed));
    const auto products = matmul(attention::hyla_features(ball, x, waves),
                                 attention::hyla_features(ball, origin, waves).t());
    total += mean(abs(products.squeeze(1) - kernel)).item();
  }
  return total / arguments.seeds;
}

void run(const CLI::App& command, Arguments& arguments) {
  const Quick quick(command);
  quick.set(arguments.points, 50);
  quick.set("--seeds", arguments.seeds, 2);
  if (!arguments.out.empty()) train::prepare_directory(arguments.out);
  const geometry::PoincareBall<double> ball(1);
  const auto x = points_within(ball, arguments.points, arguments.dimension, arguments.radius);
  const auto distances = dist0(ball, x);
  Tensor<double> kernel({arguments.points});
  for (int i = 0; i < arguments.points; ++i)
    kernel.data()[i] = attention::hyla_gaussian_kernel(arguments.dimension, distances.data()[i],
                                                       arguments.deviation);
  std::vector<std::vector<std::string>> rows;
  std::vector<nlohmann::json> lines;
  output::LinePlot plot;
  plot.title = "HyLa: features against their kernel";
  plot.description = "Mean error of the kernel estimated by D features, and 1 / sqrt(D)";
  plot.x_label = "log10 of D";
  plot.y_label = "log10 of the mean error";
  plot.series.resize(2);
  plot.series[0].name = "measured";
  plot.series[0].markers = true;
  plot.series[1].name = "first / sqrt(D)";
  plot.series[1].colour = 1;
  plot.series[1].dashed = true;
  output::ProgressBar bar("hyla", std::size(counts), "feature counts");
  double first = 0;
  for (std::size_t i = 0; i < std::size(counts); ++i) {
    const auto count = double(counts[i]);
    const double error = mean_error(ball, arguments, x, kernel, counts[i]);
    if (i == 0) first = error * std::sqrt(count);
    rows.push_back({fmt::format("{}", counts[i]), fmt::format("{:.5f}", error),
                    fmt::format("{:.3f}", error * std::sqrt(count))});
    lines.push_back({{"features", counts[i]}, {"error", error}});
    plot.series[0].points.push_back({std::log10(count), std::log10(error)});
    plot.series[1].points.push_back({std::log10(count), std::log10(first / std::sqrt(count))});
    bar.update(i + 1, std::size(counts));
  }
  bar.finish();
  fmt::print("{}-D, frequencies N(0, {:g}^2), {} points within {:g}, seeds 1 to {}\n\n{}",
             arguments.dimension, arguments.deviation, arguments.points, arguments.radius,
             arguments.seeds, train::table_text({"D", "mean error", "times sqrt(D)"}, rows));
  if (arguments.out.empty()) return;
  train::write_plot(arguments.out / "hyla-kernel.svg", plot);
  train::write_lines(arguments.out / "hyla-kernel.jsonl", lines);
}

void describe_hyla(CLI::App& command, Arguments& arguments) {
  command.description(
      "The mean error of the kernel of hyperbolic Laplacian features (docs/hyla.md) between "
      "points\n"
      "and the origin, against the number of features (Yu 2024, figure A.5).");
  command.add_option("--dim", arguments.dimension, "Dimension of the ball")
      ->check(CLI::Range(2, 100));
  command.add_option("--deviation", arguments.deviation, "Standard deviation of frequencies")
      ->check(positive());
  command.add_option("--radius", arguments.radius, "Distance within which points are drawn")
      ->check(between(0.01, 30.0));
  command.add_option("--seeds", arguments.seeds, "Draws of the features, with seeds 1, 2, ...")
      ->check(CLI::Range(1, 100'000));
  command.add_option("--out", arguments.out,
                     "Write hyla-kernel.svg and .jsonl into this directory [none]");
  add_quick(command, "50 points, 2 seeds");
}

const Command command("features hyla", describe_hyla, run);

}  // namespace
}  // namespace mct::cli::features::hyla_command
