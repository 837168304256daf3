// The comparison of GPT runs.
#include "apps/mct/train/gpt_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "apps/mct/train/outputs.hpp"

namespace mct::cli::train {

namespace {

const GptResult* master_of(const std::vector<GptComparison>& runs, double beta2) {
  for (const auto& run : runs)
    if (run.arm.name == "master" && run.beta2 == beta2) return &run.result;
  return nullptr;
}

/// What is plotted, for each beta2.
constexpr std::array quantities = {"validation", "descent-quality", "lost"};

std::string plot_name(const char* quantity, double beta2, const std::set<double>& betas) {
  return fmt::format("gpt-{}{}.svg", quantity, betas.size() > 1 ? fmt::format("-{:g}", beta2) : "");
}

/// One quantity over the steps for every run with this beta2.
template <class Value>
validation::LinePlot plot_of(const std::vector<GptComparison>& runs, double beta2,
                             const Value& value) {
  validation::LinePlot plot;
  plot.x_label = "step";
  plot.whole_x = true;
  for (const auto& run : runs) {
    if (run.beta2 != beta2) continue;
    validation::PlotSeries series;
    series.name = run.arm.name;
    series.colour = int(plot.series.size());
    series.dashed = plot.series.size() >= 8;  // there are 8 colours
    series.markers = plot.series.size() >= 16;
    for (const auto& row : run.result.rows) {
      const std::optional<double> y = value(row);
      if (y && std::isfinite(*y)) series.points.push_back({double(row.step), *y});
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

std::string format_comparison(const std::vector<GptComparison>& runs) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& run : runs) {
    const GptResult* const master = master_of(runs, run.beta2);
    const GptRow mean = run.result.mean();
    const double perplexity = run.result.validation_perplexity();
    rows.push_back(
        {run.arm.name, fmt::format("{:g}", run.beta2),
         fmt::format("{:g}", layout_of(run.arm.strategy).bytes()),
         fmt::format("{:.3f}", run.result.train_perplexity()), fmt::format("{:.3f}", perplexity),
         master == nullptr
             ? ""
             : fmt::format("{:+.2f}", 100 * (perplexity / master->validation_perplexity() - 1)),
         fmt::format("{:.1f}", mean.lost), fmt::format("{:.1f}", mean.lost_v),
         fmt::format("{:.4f}", mean.descent_quality), fmt::format("{:.0f}", run.result.seconds)});
  }
  return table_text({"strategy", "beta2", "bytes", "train ppl", "valid ppl", "to master %",
                     "lost %", "lost v %", "EDQ / norm", "seconds"},
                    rows);
}

std::string format_bytes(const std::vector<GptComparison>& runs) {
  std::string text;
  for (const auto& run : runs) {
    const GptResult& result = run.result;
    const auto each = [&](std::int64_t bytes) { return double(bytes) / double(result.parameters); };
    text += fmt::format(
        "{}: bytes per parameter: weights {:.2f}, states {:.2f}, gradients {:.2f}, together "
        "{:.2f}; the process {:.2f} at most\n",
        run.arm.name, each(result.bytes.weights), each(result.bytes.states),
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
    const std::string name = fmt::format("{}, beta2 {:g}: ", run.arm.name, run.beta2);
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
  for (const double beta2 : betas) {
    auto plot = plot_of(runs, beta2, [](const GptRow& r) { return r.validation_loss; });
    plot.title = fmt::format("Validation loss (logarithm of the perplexity), beta2 = {:g}", beta2);
    plot.y_label = "nats per character";
    write_plot(directory / plot_name(quantities[0], beta2, betas), plot);
    plot = plot_of(runs, beta2, [](const GptRow& r) { return r.descent_quality; });
    plot.title = fmt::format("Effective descent quality / norm of the update, beta2 = {:g}", beta2);
    plot.y_label = "1: nothing is lost";
    write_plot(directory / plot_name(quantities[1], beta2, betas), plot);
    plot = plot_of(runs, beta2, [](const GptRow& r) { return r.lost; });
    plot.title = fmt::format("Lost updates, beta2 = {:g}", beta2);
    plot.y_label = "% of the updates of theta";
    plot.y_from_zero = true;
    write_plot(directory / plot_name(quantities[2], beta2, betas), plot);
  }
  std::vector<nlohmann::json> lines;
  for (const auto& run : runs) {
    const GptRow mean = run.result.mean();
    lines.push_back({{"strategy", run.arm.name},
                     {"beta2", run.beta2},
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
