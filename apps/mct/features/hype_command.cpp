// `mct features hype`: the error of HyPE's bias in short numbers against the length.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/quick.hpp"
#include "apps/mct/train/outputs.hpp"
#include "mctensor/attention/component_columns.hpp"
#include "mctensor/attention/hype.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "output/progress.hpp"

namespace mct::cli::features::hype_command {

namespace {

namespace fs = std::filesystem;

constexpr int queries = 32;
constexpr int shortest_power = 7;
constexpr int quick_power = 10;
/// Slopes of ALiBi with eight heads: the steepest and the flattest.
constexpr double steep = 1.0 / 2;
constexpr double flat = 1.0 / 256;

struct Arguments {
  int longest_power = 20;
  fs::path out;
};

/// Plain numbers for L positions: their products, summed in float, are the bias of amplitude 1.
struct Columns {
  std::string name;
  Tensor<float> query, key;  // (L, columns)
  bool rounds_bias = false;  // a stored matrix of bfloat16 instead, whose bias itself is rounded
};

struct Result {
  std::string name;
  std::int64_t columns = 0;
  double tokens = 0;             // the largest error of the bias over mu: how many tokens it is off
  double misplaced[2] = {0, 0};  // weight of wrong tokens, steep and flat
};

Tensor<double> positions(std::int64_t length) {
  auto at = Tensor<double>::uninitialized({length});
  for (std::int64_t i = 0; i < length; ++i) at.data()[i] = double(i);
  return at;
}

/// HyPE's columns in N components of T, with one column for each product of components.
template <class T, int N>
Columns columns_of(const std::string& name, const Tensor<double>& at, double mu) {
  // d = 1: the columns of a head are these times sqrt(d), and so is their error
  const auto number = [](double x) { return Tensor<double>::scalar(x); };
  const auto [query, key] = attention::hype_features(at, number(mu), number(1), 1);
  return {name, convert<float, 1>(attention::left_columns(convert<T, N>(query))),
          convert<float, 1>(attention::right_columns(convert<T, N>(key)))};
}

std::vector<Columns> all_columns(std::int64_t length, double mu) {
  const auto at = positions(length);
  return {{"bias stored in bf16", {}, {}, true},
          columns_of<bfloat16, 1>("bf16", at, mu),
          columns_of<bfloat16, 2>("bf16x2", at, mu),
          columns_of<bfloat16, 3>("bf16x3", at, mu),
          columns_of<float, 1>("f32", at, mu)};
}

/// The bias of amplitude 1 that the columns give.
double bias_of(const Columns& columns, std::int64_t query, std::int64_t key, double exact) {
  if (columns.rounds_bias) return double(bfloat16(float(exact)));
  const std::int64_t c = columns.query.size(1);
  const float* x = columns.query.data() + query * c;
  const float* y = columns.key.data() + key * c;
  float sum = 0;
  for (std::int64_t i = 0; i < c; ++i) sum += x[i] * y[i];
  return double(sum);
}

/// Half the sum of |p - p'| of the softmax of `amplitude` times the exact and the computed biases.
double misplaced_weight(const std::vector<double>& exact, const std::vector<double>& computed,
                        double amplitude) {
  const double top[2] = {*std::max_element(exact.begin(), exact.end()),
                         *std::max_element(computed.begin(), computed.end())};
  double total[2] = {0, 0};
  const auto weight = [&](double bias, int k) { return std::exp(amplitude * (bias - top[k])); };
  for (std::size_t i = 0; i < exact.size(); ++i) {
    total[0] += weight(exact[i], 0);
    total[1] += weight(computed[i], 1);
  }
  double apart = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    apart += std::fabs(weight(exact[i], 0) / total[0] - weight(computed[i], 1) / total[1]);
  return apart / 2;
}

/// Measures over `queries` positions and all keys before each; weights are those of the last
/// position.
Result measure(const Columns& columns, std::int64_t length, double mu) {
  std::vector<double> worst(queries, 0);
  Result result{columns.name, columns.rounds_bias ? 0 : columns.query.size(1), 0, {0, 0}};
  parallel_for(queries, 1e9, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t query = (length * (i + 1)) / queries - 1;
      std::vector<double> exact;
      std::vector<double> computed;
      for (std::int64_t key = 0; key <= query; ++key) {
        exact.push_back(std::sinh(mu * double(key - query)));
        computed.push_back(bias_of(columns, query, key, exact.back()));
        worst[std::size_t(i)] =
            std::max(worst[std::size_t(i)], std::fabs(computed.back() - exact.back()) / mu);
      }
      if (query != length - 1) continue;
      result.misplaced[0] = misplaced_weight(exact, computed, steep / mu);
      result.misplaced[1] = misplaced_weight(exact, computed, flat / mu);
    }
  });
  result.tokens = *std::max_element(worst.begin(), worst.end());
  return result;
}

void write_results(const fs::path& out, const std::vector<nlohmann::json>& lines,
                   const std::vector<output::PlotSeries>& tokens) {
  output::LinePlot plot;
  plot.title = "HyPE: error of the bias";
  plot.description =
      "Largest error of the bias, in distances of neighbouring tokens, against the length, for "
      "features of one, two and three bfloat16, of float, and a matrix stored in bfloat16";
  plot.x_label = "log2 of the length";
  plot.y_label = "log10 of the error in tokens";
  plot.series = tokens;
  plot.bounds = {{0, "one token"}};
  plot.whole_x = true;
  train::write_plot(out / "hype-bias.svg", plot);
  train::write_lines(out / "hype.jsonl", lines);
}

void run(const CLI::App& command, Arguments& arguments) {
  const Quick quick(command);
  quick.set("--longest", arguments.longest_power, quick_power);
  const int longest = arguments.longest_power;
  if (!arguments.out.empty()) train::prepare_directory(arguments.out);
  std::vector<std::vector<std::string>> rows;
  std::vector<nlohmann::json> lines;
  std::vector<output::PlotSeries> tokens;
  const auto total = std::uint64_t(longest) - std::uint64_t(shortest_power) + 1;
  output::ProgressBar bar("hype", total, "lengths");
  for (int power = shortest_power; power <= longest; ++power) {
    const std::int64_t length = std::int64_t(1) << power;
    const double mu = 1 / double(length + 1);
    const auto columns = all_columns(length, mu);
    tokens.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Result result = measure(columns[i], length, mu);
      rows.push_back({fmt::format("{}", length), result.name, fmt::format("{}", result.columns),
                      fmt::format("{:.2g}", result.tokens),
                      fmt::format("{:.2g}", 100 * result.misplaced[0]),
                      fmt::format("{:.2g}", 100 * result.misplaced[1])});
      lines.push_back({{"length", length},
                       {"arithmetic", result.name},
                       {"columns", result.columns},
                       {"tokens", result.tokens},
                       {"misplaced_steep", result.misplaced[0]},
                       {"misplaced_flat", result.misplaced[1]}});
      tokens[i].name = result.name;
      tokens[i].colour = int(i);
      tokens[i].dashed = result.columns == 0;
      tokens[i].points.push_back({double(power), std::log10(result.tokens)});
    }
    bar.update(std::uint64_t(power) - std::uint64_t(shortest_power) + 1, total);
  }
  bar.finish();
  fmt::print(
      "mu = 1/(L + 1), {} queries, all keys before them\n\n{}", queries,
      train::table_text(
          {"L", "numbers", "columns", "error, tokens", "misplaced %, m = 1/2", "m = 1/256"}, rows));
  if (!arguments.out.empty()) write_results(arguments.out, lines, tokens);
}

void describe_hype(CLI::App& command, Arguments& arguments) {
  command.description(
      "The error of the bias of hyperbolic positional encoding (docs/hype.md) in bfloat16, two "
      "and\n"
      "three of them, and float, against the length: in tokens, and as the weight of attention\n"
      "that goes to wrong tokens for slopes 1/2 and 1/256 of ALiBi.");
  command.add_option("--longest", arguments.longest_power, "Lengths up to 2 to the power of this")
      ->check(CLI::Range(shortest_power, 24));
  command.add_option("--out", arguments.out,
                     "Write hype.jsonl and hype-bias.svg into this directory [none]");
  add_quick(command, fmt::format("Lengths up to 2^{}", quick_power));
}

const Command command("features hype", describe_hype, run);

}  // namespace
}  // namespace mct::cli::features::hype_command
