// Training cones: runs, their log, their table.
#include "apps/mct/cone_runs.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "apps/mct/train/deviation.hpp"
#include "apps/mct/train/outputs.hpp"
#include "mctensor/embed/closure.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "validation/report/progress.hpp"

namespace mct::cli {
namespace {

using embed::BinaryScores;
using embed::ConeTrainer;
using embed::Graph;
using nlohmann::json;

/// What all runs share.
struct Task {
  const ConeRuns& runs;
  Graph closure;
  std::vector<std::int32_t> classes;
};

struct Run {
  double percent = 0;
  std::uint64_t seed = 0;
  std::vector<json> log;  // the last line has the results
  BinaryScores validation, test;
  double accuracy = 0;
  double seconds = 0;
};

json scores_json(const BinaryScores& scores) {
  return {{"precision", scores.precision()}, {"recall", scores.recall()}, {"f1", scores.f1()}};
}

json described(const embed::ConeTrainingOptions& o) {
  return {{"cones", std::string(name_of(o.cones.kind))},
          {"model", std::string(name_of(o.cones.model))},
          {"dimensions", o.cones.dimensions},
          {"size", o.cones.size},
          {"loss", o.loss == embed::ConeLoss::shadow ? "shadow" : "max-margin"},
          {"epochs", o.epochs},
          {"batch", o.batch},
          {"lr", o.lr},
          {"burn_in_epochs", o.burn_in_epochs},
          {"negatives", o.negatives},
          {"gamma_1", o.gamma_1},
          {"gamma_2", o.gamma_2},
          {"gamma_3", o.gamma_3},
          {"clip", o.clip},
          {"start", o.start}};
}

template <class Progress>
void train_run(const Task& task, Run& run, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  embed::ConeTrainingOptions options = task.runs.training;
  options.seed = run.seed;
  const double held = task.runs.held_out;
  const auto split = split_edges(task.closure, {run.percent, held, held, run.seed});
  ConeTrainer trainer(split, task.closure, options);
  const json which = {{"percent", run.percent}, {"seed", run.seed}};
  while (trainer.epoch() < options.epochs) {
    const double loss = trainer.run_epoch();
    progress();
    json line = which;
    line.update({{"epoch", trainer.epoch()}, {"loss", loss}});
    if (trainer.epoch() % options.check_every == 0) line["validation_f1"] = trainer.last_f1();
    run.log.push_back(std::move(line));
  }
  const embed::ConeResult result = trainer.result();
  run.validation = result.validation;
  run.test = result.test;
  const auto points = result.embedding.coordinates().reshape(trainer.points().shape());
  run.accuracy = class_accuracy(options.cones.model, points, task.closure, task.classes);
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  json line = which;
  line.update(described(options));
  line.update({{"best_epoch", result.epoch},
               {"chosen_size", result.cones.size},
               {"validation", scores_json(run.validation)},
               {"test", scores_json(run.test)},
               {"class_accuracy", run.accuracy},
               {"lost_steps", trainer.lost_steps()},
               {"train_edges", split.train.edge_count()},
               {"test_edges", split.test.edge_count()},
               {"seconds", run.seconds}});
  run.log.push_back(std::move(line));
  if (!task.runs.out.empty())
    result.embedding.save(task.runs.out /
                          fmt::format("{:g}-{}.safetensors", run.percent, run.seed));
}

/// Mean and deviation in per cent.
std::string percent_text(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  const double mean = sum / double(values.size());
  return values.size() < 2 ? fmt::format("{:.1f}", 100 * mean)
                           : fmt::format("{:.1f} ± {:.1f}", 100 * mean,
                                         100 * train::sample_deviation(values, mean));
}

void print_table(const Task& task, const std::vector<Run>& runs) {
  std::vector<std::string> header = {"% of the edges", "F1", "precision", "recall",
                                     "validation F1"};
  if (!task.classes.empty()) header.push_back("classes");
  header.push_back("seconds");
  std::vector<std::vector<std::string>> rows;
  for (const double percent : task.runs.percents) {
    std::vector<double> f1, precision, recall, validation, accuracy;
    double seconds = 0;
    for (const Run& run : runs) {
      if (run.percent != percent) continue;
      f1.push_back(run.test.f1());
      precision.push_back(run.test.precision());
      recall.push_back(run.test.recall());
      validation.push_back(run.validation.f1());
      accuracy.push_back(run.accuracy);
      seconds += run.seconds;
    }
    rows.push_back({fmt::format("{:g}", percent), percent_text(f1), percent_text(precision),
                    percent_text(recall), percent_text(validation)});
    if (!task.classes.empty()) rows.back().push_back(percent_text(accuracy));
    rows.back().push_back(fmt::format("{:.1f}", seconds / double(f1.size())));
  }
  fmt::print("{}: {}; {} epochs, lr {:g}, {} seeds\n\n{}", task.runs.name,
             task.runs.training.cones.text(), task.runs.training.epochs, task.runs.training.lr,
             task.runs.seeds, train::table_text(header, rows));
}

void check(const ConeRuns& runs) {
  if (runs.seeds < 1) throw DomainError(fmt::format("{} seeds, expected at least 1", runs.seeds));
  for (const double percent : runs.percents)
    if (!(percent >= 0 && percent + 2 * runs.held_out <= 100) || !(runs.held_out >= 0))
      throw DomainError(
          fmt::format("{:g} % for training and twice {:g} % held out are not within "
                      "0 and 100 %",
                      percent, runs.held_out));
}

}  // namespace

void run_cones(const Graph& graph, const ConeRuns& runs) {
  check(runs);
  Task task{runs, transitive_closure(graph), {}};
  for (const std::string& name : runs.classes) {
    task.classes.push_back(graph.find(name));
    if (task.classes.back() < 0) throw DomainError("there is no node '" + name + "'");
  }
  if (!runs.out.empty()) train::prepare_directory(runs.out);
  std::vector<Run> all;
  for (const double percent : runs.percents)
    for (int i = 0; i < runs.seeds; ++i) {
      Run run;
      run.percent = percent;
      run.seed = runs.training.seed + std::uint64_t(i);
      all.push_back(std::move(run));
    }
  const std::uint64_t total = all.size() * std::uint64_t(std::max(runs.training.epochs, 0));
  validation::ProgressBar bar(std::string(name_of(runs.training.cones.kind)), total, "epochs");
  std::atomic<std::uint64_t> done = 0;
  // a run takes seconds: each is worth a thread
  parallel_for(std::int64_t(all.size()), 1e12, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
      train_run(task, all[i], [&] { bar.update(++done, total); });
  });
  bar.finish();
  print_table(task, all);
  if (runs.out.empty()) return;
  std::vector<json> log;
  for (const Run& run : all) log.insert(log.end(), run.log.begin(), run.log.end());
  train::write_lines(runs.out / "cones.jsonl", std::move(log));
}

}  // namespace mct::cli
