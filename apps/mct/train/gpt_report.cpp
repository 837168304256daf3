// The comparison of GPT runs.
#include "apps/mct/train/gpt_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "apps/mct/train/deviation.hpp"
#include "apps/mct/train/outputs.hpp"

namespace mct::cli::train {

namespace {

/// The runs of a strategy with one beta2, one for each seed.
struct ArmRuns {
  std::string name;
  optim::Strategy strategy;
  double beta2 = 0;
  std::vector<const GptComparison*> runs;

  /// The mean over the runs of number(result).
  template <class Number>
  double mean(const Number& number) const {
    double sum = 0;
    for (const auto* run : runs) sum += number(run->result);
    return sum / double(runs.size());
  }
  /// The run with the seed; null if there is no such run.
  const GptResult* find(std::uint64_t seed) const {
    for (const auto* run : runs)
      if (run->seed == seed) return &run->result;
    return nullptr;
  }
};

/// The runs by strategy and beta2, in the order of their first runs.
std::vector<ArmRuns> by_arm(const std::vector<GptComparison>& runs) {
  std::vector<ArmRuns> arms;
  for (const auto& run : runs) {
    auto arm = std::find_if(arms.begin(), arms.end(), [&](const ArmRuns& a) {
      return a.name == run.arm.name && a.beta2 == run.beta2;
    });
    if (arm == arms.end()) arm = arms.insert(arm, {run.arm.name, run.arm.strategy, run.beta2, {}});
    arm->runs.push_back(&run);
  }
  return arms;
}

const ArmRuns* master_of(const std::vector<ArmRuns>& arms, double beta2) {
  for (const auto& arm : arms)
    if (arm.name == "master" && arm.beta2 == beta2) return &arm;
  return nullptr;
}

/// The difference of the validation perplexities from the perplexities of "master" with the same
/// seeds, in per cent: the mean, with its standard error if there are several seeds.
std::string difference_text(const ArmRuns& arm, const ArmRuns* master) {
  std::vector<double> differences;
  for (const auto* run : arm.runs) {
    const GptResult* const pair = master == nullptr ? nullptr : master->find(run->seed);
    if (pair == nullptr) continue;
    differences.push_back(
        100 * (run->result.validation_perplexity() / pair->validation_perplexity() - 1));
  }
  if (differences.empty()) return "";
  const auto count = double(differences.size());
  double mean = 0;
  for (const double x : differences) mean += x / count;
  if (differences.size() == 1) return fmt::format("{:+.2f}", mean);
  const double error = sample_deviation(differences, mean) / std::sqrt(count);
  return fmt::format("{:+.2f} +- {:.2f}", mean, error);
}

/// The plots, for each beta2.
constexpr std::array quantities = {"validation", "difference", "descent-quality", "lost"};

std::string plot_name(const char* quantity, double beta2, const std::set<double>& betas) {
  return fmt::format("gpt-{}{}.svg", quantity, betas.size() > 1 ? fmt::format("-{:g}", beta2) : "");
}

/// One quantity over the steps for every strategy with this beta2, as a mean over its seeds.
/// value(run, i): the quantity in row i of a run's metrics.
template <class Value>
output::LinePlot plot_of(const std::vector<ArmRuns>& arms, double beta2, const Value& value) {
  output::LinePlot plot;
  plot.x_label = "step";
  plot.whole_x = true;
  for (const auto& arm : arms) {
    if (arm.beta2 != beta2) continue;
    output::PlotSeries series;
    series.name = arm.name;
    series.colour = int(plot.series.size());
    series.dashed = plot.series.size() >= 8;  // there are 8 colours
    series.markers = plot.series.size() >= 16;
    const auto& rows = arm.runs[0]->result.rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double sum = 0;
      std::size_t count = 0;
      for (const auto* run : arm.runs) {
        const std::optional<double> y = value(*run, i);
        if (!y || !std::isfinite(*y)) continue;
        sum += *y;
        ++count;
      }
      if (count == arm.runs.size())
        series.points.push_back({double(rows[i].step), sum / double(count)});
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

std::string format_comparison(const std::vector<GptComparison>& runs) {
  std::vector<std::vector<std::string>> rows;
  const auto arms = by_arm(runs);
  for (const auto& arm : arms) {
    const auto shown = [&](const char* digits, auto&& number) {
      return fmt::format(fmt::runtime(digits), arm.mean(number));
    };
    rows.push_back({arm.name, fmt::format("{:g}", arm.beta2),
                    fmt::format("{:g}", layout_of(arm.strategy).bytes()),
                    shown("{:.3f}", [](const GptResult& r) { return r.train_perplexity(); }),
                    shown("{:.3f}", [](const GptResult& r) { return r.validation_perplexity(); }),
                    difference_text(arm, master_of(arms, arm.beta2)),
                    shown("{:.1f}", [](const GptResult& r) { return r.mean().lost; }),
                    shown("{:.1f}", [](const GptResult& r) { return r.mean().lost_v; }),
                    shown("{:.4f}", [](const GptResult& r) { return r.mean().descent_quality; }),
                    fmt::format("{:.0f}", arm.mean([](const GptResult& r) { return r.seconds; }) *
                                              double(arm.runs.size()))});
  }
  return table_text({"strategy", "beta2", "bytes", "train ppl", "valid ppl", "to master %",
                     "lost %", "lost v %", "EDQ / norm", "seconds"},
                    rows);
}

std::string format_bytes(const std::vector<GptComparison>& runs) {
  std::string text;
  for (const auto& arm : by_arm(runs)) {
    const GptResult& result = arm.runs[0]->result;
    const auto each = [&](std::int64_t bytes) { return double(bytes) / double(result.parameters); };
    text += fmt::format(
        "{}: bytes per parameter: weights {:.2f}, states {:.2f}, gradients {:.2f}, together "
        "{:.2f}; the process {:.2f} at most\n",
        arm.name, each(result.bytes.weights), each(result.bytes.states),
        each(result.bytes.gradients), each(result.bytes.total()), each(result.peak_bytes));
  }
  return text;
}

std::string format_warnings(const std::vector<GptComparison>& runs) {
  std::string text;
  const auto finite = [](const GptRow& row) {
    return std::isfinite(row.train_loss) && std::isfinite(row.validation_loss.value_or(0)) &&
           std::isfinite(row.lost) && std::isfinite(row.lost_v) &&
           std::isfinite(row.descent_quality);
  };
  for (const auto& run : runs) {
    const std::string name =
        fmt::format("{}, beta2 {:g}, seed {}: ", run.arm.name, run.beta2, run.seed);
    if (run.result.skipped_steps > 0)
      text += fmt::format("{}{} steps were skipped, their gradients were not finite\n", name,
                          run.result.skipped_steps);
    const auto& rows = run.result.rows;
    const auto bad = std::find_if_not(rows.begin(), rows.end(), finite);
    if (bad != rows.end())
      text += fmt::format("{}metrics are not finite at step {} and maybe later\n", name, bad->step);
  }
  return text.empty() ? text : "\n" + text;
}

std::vector<std::string> comparison_files(const std::set<double>& betas) {
  std::vector<std::string> names{"gpt.jsonl"};
  for (const double beta2 : betas)
    for (const char* quantity : quantities) names.push_back(plot_name(quantity, beta2, betas));
  return names;
}

void write_comparison(const std::filesystem::path& directory,
                      const std::vector<GptComparison>& runs) {
  std::set<double> betas;
  for (const auto& run : runs) betas.insert(run.beta2);
  const auto arms = by_arm(runs);
  for (const double beta2 : betas) {
    const auto plot = [&](std::size_t quantity, const char* title, const char* y_label,
                          auto&& value, bool y_from_zero = false) {
      auto drawing = plot_of(arms, beta2, value);
      drawing.title = fmt::format("{}, beta2 = {:g}", title, beta2);
      drawing.y_label = y_label;
      drawing.y_from_zero = y_from_zero;
      write_plot(directory / plot_name(quantities[quantity], beta2, betas), drawing);
    };
    using Run = const GptComparison&;
    plot(0, "Validation loss (logarithm of the perplexity)", "nats per character",
         [](Run run, std::size_t i) { return run.result.rows[i].validation_loss; });
    const ArmRuns* const master = master_of(arms, beta2);
    plot(1, "Validation loss less that of master", "nats per character",
         [&](Run run, std::size_t i) -> std::optional<double> {
           const GptResult* const pair = master == nullptr ? nullptr : master->find(run.seed);
           if (pair == nullptr || !run.result.rows[i].validation_loss) return {};
           return *run.result.rows[i].validation_loss - pair->rows[i].validation_loss.value();
         });
    plot(2, "Effective descent quality / norm of the update", "1: nothing is lost",
         [](Run run, std::size_t i) -> std::optional<double> {
           return run.result.rows[i].descent_quality;
         });
    plot(
        3, "Lost updates", "% of the updates of theta",
        [](Run run, std::size_t i) -> std::optional<double> { return run.result.rows[i].lost; },
        true);
  }
  std::vector<nlohmann::json> lines;
  for (const auto& run : runs) {
    const GptRow mean = run.result.mean();
    lines.push_back({{"strategy", run.arm.name},
                     {"beta2", run.beta2},
                     {"seed", run.seed},
                     {"train_perplexity", run.result.train_perplexity()},
                     {"validation_perplexity", run.result.validation_perplexity()},
                     {"lost_percent", mean.lost},
                     {"lost_v_percent", mean.lost_v},
                     {"relative_descent_quality", mean.descent_quality},
                     {"skipped_steps", run.result.skipped_steps},
                     {"seconds", run.result.seconds}});
  }
  write_lines(directory / "gpt.jsonl", std::move(lines));
}

}  // namespace mct::cli::train
