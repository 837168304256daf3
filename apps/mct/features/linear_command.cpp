// `mct features linear-attention`: how well positive features approximate the kernel of linear
// attention.
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
#include "mctensor/attention/linear_attention.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "output/progress.hpp"

namespace mct::cli::features::linear_command {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  int dimension = 3;
  double mu = 0;
  int points = 300;
  fs::path out;
};
constexpr std::int64_t counts[] = {16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
constexpr double radii[] = {1, 2, 4};

/// The kernel at a distance: in two dimensions with mu = 0, or in three.
double kernel_at(int dimension, double mu, double d) {
  if (dimension == 2) return M_2_PI * std::comp_ellint_1(std::tanh(d / 2)) / std::cosh(d / 2);
  if (d == 0) return 1;
  return (mu == 0 ? d : std::sinh(mu * d) / mu) / std::sinh(d);
}

struct Pairs {
  Tensor<double> queries, keys, kernel;
};

Pairs pairs_within(const geometry::PoincareBall<double>& ball, const Arguments& arguments,
                   double radius) {
  const auto points = [&](std::uint64_t first) {
    return points_within(ball, arguments.points, arguments.dimension, radius, first);
  };
  Pairs pairs = {points(0), points(std::uint64_t(arguments.points)), {}};
  pairs.kernel = dist(ball, pairs.queries.unsqueeze(1), pairs.keys.unsqueeze(0));
  for (std::int64_t i = 0; i < pairs.kernel.numel(); ++i)
    pairs.kernel.data()[i] = kernel_at(arguments.dimension, arguments.mu, pairs.kernel.data()[i]);
  return pairs;
}

/// The root of the mean of (estimate / kernel - 1)^2 over pairs.
double relative_error(const geometry::PoincareBall<double>& ball, const Arguments& arguments,
                      const Pairs& pairs, std::int64_t count) {
  const double rho = double(arguments.dimension - 1) / 2;
  const auto omega = attention::horocycle_directions<double>(count, arguments.dimension);
  const auto features = [&](const Tensor<double>& x, double growth) {
    return exp(attention::horocycle_distance(ball, x, omega) * growth);
  };
  const auto estimate = matmul(features(pairs.queries, rho + arguments.mu),
                               features(pairs.keys, rho - arguments.mu).t()) /
                        double(count);
  return std::sqrt(mean(square(estimate / pairs.kernel - 1.0)).item());
}

void run(const CLI::App& command, Arguments& arguments) {
  const Quick quick(command);
  if (arguments.dimension == 2 && arguments.mu != 0)
    throw DomainError("--mu is for three dimensions: in two the kernel is known for mu = 0 alone");
  quick.set("--points", arguments.points, 30);
  if (!arguments.out.empty()) train::prepare_directory(arguments.out);
  const geometry::PoincareBall<double> ball(1);
  std::vector<std::vector<std::string>> rows(std::size(counts));
  for (std::size_t i = 0; i < std::size(counts); ++i)
    rows[i].push_back(fmt::format("{}", counts[i]));
  std::vector<nlohmann::json> lines;
  output::LinePlot plot;
  plot.title = "Linear attention: features against their kernel";
  plot.description = "Relative error of the kernel estimated by D features";
  plot.x_label = "log10 of D";
  plot.y_label = "log10 of the relative error";
  output::ProgressBar bar("features", std::size(radii) * std::size(counts), "estimates");
  std::size_t done = 0;
  for (const double radius : radii) {
    const Pairs pairs = pairs_within(ball, arguments, radius);
    auto& series = plot.series.emplace_back();
    series.name = fmt::format("points within {:g}", radius);
    series.markers = true;
    series.colour = int(plot.series.size()) - 1;
    for (std::size_t i = 0; i < std::size(counts); ++i) {
      const double error = relative_error(ball, arguments, pairs, counts[i]);
      rows[i].push_back(fmt::format("{:.2g}", error));
      lines.push_back({{"radius", radius}, {"features", counts[i]}, {"error", error}});
      // rounding errors of evenly spaced directions are not shown
      series.points.push_back({std::log10(double(counts[i])), std::log10(std::max(error, 1e-16))});
      bar.update(++done, std::size(radii) * std::size(counts));
    }
  }
  bar.finish();
  fmt::print(
      "{}-D, mu = {:g}, {} queries and keys within 1, 2 and 4 of the origin: relative "
      "error of their kernels\n\n{}",
      arguments.dimension, arguments.mu, arguments.points,
      train::table_text({"D", "within 1", "within 2", "within 4"}, rows));
  if (arguments.out.empty()) return;
  const std::string name = fmt::format("linear-attention-{}d", arguments.dimension);
  train::write_plot(arguments.out / (name + ".svg"), plot);
  train::write_lines(arguments.out / (name + ".jsonl"), lines);
}

void describe_linear(CLI::App& command, Arguments& arguments) {
  command.description(
      "The relative error of linear attention's kernel (docs/attention.md) between points near "
      "the\norigin, against the number of features.");
  command.add_option("--dim", arguments.dimension, "Dimension of the ball: 2 or 3")
      ->check(CLI::Range(2, 3));
  command.add_option("--mu", arguments.mu, "The parameter mu, in three dimensions")
      ->check(between(-1.0, 1.0));
  command.add_option("--points", arguments.points, "Queries, and as many keys")
      ->check(CLI::Range(1, 10'000));
  command.add_option("--out", arguments.out,
                     "Write linear-attention-{2,3}d.svg and .jsonl into this directory [none]");
  add_quick(command, "30 points");
}

const Command command("features linear-attention", describe_linear, run);

}  // namespace
}  // namespace mct::cli::features::linear_command
