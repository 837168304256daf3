// `mct train regression`.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/device_option.hpp"
#include "apps/mct/train/outputs.hpp"
#include "apps/mct/train/regression.hpp"
#include "output/progress.hpp"

namespace mct::cli::train::regression_command {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string task = "all";
  std::vector<std::string> arms;
  std::uint64_t seed = 1;
  DataPlaces data;
  fs::path out;
  bool quick = false;
};

using Results = std::vector<std::pair<std::string, RegressionResult>>;

std::string format_results(const Task& task, const Results& results) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [arm, result] : results)
    rows.push_back({arm, fmt::format("{:.4g}", result.train_loss),
                    task.loss == Loss::squared ? "" : fmt::format("{:.2f}", result.test_accuracy),
                    fmt::format("{:.1f}", result.seconds)});
  return fmt::format("{}: {}; {} epochs, lr {:g}, seed {}\n\n", task.name, task.description,
                     task.epochs, task.lr, task.seed) +
         table_text({"arithmetic", "training loss", "test accuracy %", "seconds"}, rows) + "\n";
}

void write_results(const Task& task, const Results& results, const fs::path& out) {
  std::vector<nlohmann::json> lines;
  output::LinePlot plot;
  plot.title = fmt::format("Training loss, {}", task.name);
  plot.description = task.description;
  plot.x_label = "epoch";
  plot.y_label = "log10 of the loss";
  for (const auto& [arm, result] : results) {
    output::PlotSeries series;
    series.name = arm;
    series.colour = int(plot.series.size());
    series.dashed = plot.series.size() >= 5;
    for (const auto& point : result.curve) {
      series.points.push_back({double(point.epoch), std::log10(point.loss)});
      lines.push_back(
          {{"task", task.name}, {"arithmetic", arm}, {"epoch", point.epoch}, {"loss", point.loss}});
    }
    lines.push_back({{"task", task.name},
                     {"arithmetic", arm},
                     {"seed", task.seed},
                     {"train_loss", result.train_loss},
                     {"test_accuracy", result.test_accuracy},
                     {"seconds", result.seconds}});
    plot.series.push_back(std::move(series));
  }
  write_lines(out / fmt::format("regression-{}.jsonl", task.name), lines);
  write_plot(out / fmt::format("regression-{}.svg", task.name), plot);
}

void run(const Arguments& arguments) {
  std::vector<const Arm*> arms;
  for (const auto& name : arguments.arms) arms.push_back(&find_arm(name));
  if (arms.empty())
    for (const auto& arm : all_arms()) arms.push_back(&arm);
  const auto names =
      arguments.task == "all" ? task_names() : std::vector<std::string>{arguments.task};
  std::vector<Task> tasks;
  tasks.reserve(names.size());
  for (const auto& name : names)
    tasks.push_back(make_task(name, arguments.data, arguments.seed, arguments.quick));
  if (!arguments.out.empty()) prepare_directory(arguments.out);

  for (const auto& task : tasks) {
    Results results;
    for (const Arm* const arm : arms) {
      const auto total = std::uint64_t(task.epochs);
      output::ProgressBar bar(task.name + " " + arm->name, total, "epochs");
      results.emplace_back(arm->name, arm->run(task, [&](std::int64_t done) {
        bar.update(std::uint64_t(done), total);
      }));
    }
    fmt::print("{}", format_results(task, results));
    std::fflush(stdout);  // the next task takes a while
    if (!arguments.out.empty()) write_results(task, results, arguments.out);
  }
}

void describe_regression(CLI::App& command, Arguments& arguments) {
  command.description(
      "Regressions and perceptrons of Yu 2024, tables 3.10 and B.9 to B.14: plain and\n"
      "multi-component half and bfloat16, float, double; SGD and Adam in the same arithmetic.");
  command.add_option("--task", arguments.task,
                     "all, linear, logistic, cancer, cancer-mlp, digits or digits-adam");
  command
      .add_option("--arithmetic", arguments.arms,
                  "Only these, with commas: f16, f16x2, f16x2-long (activations of two components, "
                  "too), f16x3, bf16 ..., f32, f64 [all]")
      ->delimiter(',');
  command.add_option("--seed", arguments.seed, "Seed of data, splits and weights");
  command.add_option("--data", arguments.data.directory,
                     "Directory of breast_cancer.csv and digits.csv [as installed]");
  command.add_option(
      "--mnist", arguments.data.mnist,
      "Pictures for the tasks of digits, 1000 of each class: a folder with MNIST's IDX "
      "files, or an .npz archive with x_train and y_train [digits.csv]");
  command.add_option("--out", arguments.out,
                     "Write regression-TASK.jsonl and .svg into this directory [none]");
  command.add_flag("--quick", arguments.quick, "Fewer rows, epochs and hidden neurons");
  add_device_option(command, models_are_on_the_cpu);
}

const Command command("train regression", describe_regression, run);

}  // namespace
}  // namespace mct::cli::train::regression_command
