// The comparison of GPT runs.
#include "apps/mct/train/gpt_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/mct/train/outputs.hpp"

namespace mct::cli::train {

namespace {

const GptResult* master_of(const std::vector<GptComparison>& runs, double beta2) {
  for (const auto& run : runs)
    if (run.arm.name == "master" && run.beta2 == beta2) return &run.result;
  return nullptr;
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
    for (const auto& row : run.result.rows)
      if (!std::isnan(value(row))) series.points.push_back({double(row.step), value(row)});
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

void write_comparison(const std::filesystem::path& directory,
                      const std::vector<GptComparison>& runs) {
  std::set<double> betas;
  for (const auto& run : runs) betas.insert(run.beta2);
  for (const double beta2 : betas) {
    const std::string suffix = betas.size() > 1 ? fmt::format("-{:g}", beta2) : "";
    auto plot = plot_of(runs, beta2, [](const GptRow& r) { return r.validation_loss; });
    plot.title = fmt::format("Validation loss (logarithm of the perplexity), beta2 = {:g}", beta2);
    plot.y_label = "nats per character";
    write_plot(directory / fmt::format("gpt-validation{}.svg", suffix), plot);
    plot = plot_of(runs, beta2, [](const GptRow& r) { return r.descent_quality; });
    plot.title = fmt::format("Effective descent quality / norm of the update, beta2 = {:g}", beta2);
    plot.y_label = "1: nothing is lost";
    write_plot(directory / fmt::format("gpt-descent-quality{}.svg", suffix), plot);
    plot = plot_of(runs, beta2, [](const GptRow& r) { return r.lost; });
    plot.title = fmt::format("Lost updates, beta2 = {:g}", beta2);
    plot.y_label = "% of the updates of theta";
    plot.y_from_zero = true;
    write_plot(directory / fmt::format("gpt-lost{}.svg", suffix), plot);
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
  write_lines(directory / "gpt.jsonl", lines);
}

}  // namespace mct::cli::train
