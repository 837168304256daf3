// Runs that train cones, and the table of their results.
#include "apps/mct/cone_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "apps/mct/embed/interrupt.hpp"
#include "apps/mct/embed/run_files.hpp"
#include "apps/mct/embed/training_loop.hpp"
#include "apps/mct/embed/training_options.hpp"
#include "apps/mct/train/deviation.hpp"
#include "apps/mct/train/outputs.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "output/progress.hpp"

namespace mct::cli {
namespace {

using embed::BinaryScores;
using embed::ConeTrainer;
using embed::Graph;
using nlohmann::json;

struct ConeRun {
  double percent = 0;
  std::uint64_t seed = 0;
};

/// The results of a run, for the table.
struct ConeRunResults {
  double f1 = 0, precision = 0, recall = 0, validation_f1 = 0, class_accuracy = 0, seconds = 0;
};

double seconds_of(const json& line) { return train::number_from(line.at("seconds")); }

ConeRunResults results_from(const json& line) {
  const auto number = [](const json& value) { return train::number_from(value); };
  const json& test = line.at("test");
  return {number(test.at("f1")),
          number(test.at("precision")),
          number(test.at("recall")),
          number(line.at("validation").at("f1")),
          number(line.at("class_accuracy")),
          seconds_of(line)};
}

std::string embedding_name(const ConeRun& run) {
  return fmt::format("{:g}-{}.safetensors", run.percent, run.seed);
}

RunFiles files_of(const std::filesystem::path& directory, const std::vector<ConeRun>& runs) {
  const RunLog log{"cones.jsonl", {}, true, [](const json& line) {
                     static_cast<void>(seconds_of(line));
                     if (!line.contains("epoch")) static_cast<void>(results_from(line));
                   }};
  std::vector<TrainingRun> all;
  all.reserve(runs.size());
  for (const ConeRun& run : runs)
    all.push_back({{{"percent", run.percent}, {"seed", run.seed}},
                   fmt::format(" of {:g} % and seed {}", run.percent, run.seed),
                   fmt::format("{:g}-{}.checkpoint.safetensors", run.percent, run.seed),
                   {embedding_name(run)}});
  return {directory, log, std::move(all)};
}

/// The parts that all runs share.
struct Task {
  const ConeRuns& runs;
  const Graph& closure;
  std::vector<std::int32_t> classes;
  std::optional<embed::Embedding> start;

  embed::EdgeSplit split(double percent, std::uint64_t seed) const {
    if (!runs.split_files.empty()) return read_split(runs.split_files, percent, closure);
    return split_edges(closure, {percent, runs.held_out, runs.held_out, seed});
  }
};

json scores_json(const BinaryScores& scores) {
  return {{"precision", scores.precision()}, {"recall", scores.recall()}, {"f1", scores.f1()}};
}

nlohmann::ordered_json described(const embed::ConeTrainingOptions& o) {
  nlohmann::ordered_json r{{"cone", std::string(name_of(o.cones.kind))},
                           {"model", std::string(embed::name_of(o.cones.storage))},
                           {"dim", o.cones.dimensions},
                           {"size", o.cones.size},
                           {"radius", o.cones.radius},
                           {"loss", std::string(name_of(o.loss))},
                           {"gamma-1", o.gamma_1},
                           {"gamma-2", o.gamma_2},
                           {"gamma-3", o.gamma_3},
                           {"fresh-negatives", o.fresh_negatives},
                           {"check-every", o.check_every}};
  r.update(training_json(o));
  return r;
}

/// The options, by their names, that must be the same when a run continues.
nlohmann::ordered_json description(const Task& task) {
  const ConeRuns& runs = task.runs;
  const embed::ConeTrainingOptions& o = runs.training;
  nlohmann::ordered_json d = {{"hierarchy", runs.name},
                              {"nodes", task.closure.node_count()},
                              {"edges", task.closure.edge_count()},
                              {"graph", fingerprint(task.closure)},
                              {"names", fingerprint(*task.closure.names())},
                              {"percents", runs.percents},
                              {"held-out", runs.held_out},
                              {"split-files", runs.split_files.string()},
                              {"seeds", runs.seeds},
                              {"classes", runs.classes}};
  d.update(described(o));
  d.update({{"sizes", o.sizes}, {"from", runs.start.string()}});
  d["of-basic-edges"] = described(runs.of_basic);
  return d;
}

json results_line(const embed::ConeResult& result, const ConeTrainer& trainer,
                  const embed::EdgeSplit& split, const Task& task) {
  const auto points = result.embedding.coordinates().reshape(trainer.points().shape());
  json line = json(described(trainer.options()));
  line.update(
      {{"best_epoch", result.epoch},
       {"chosen_size", result.cones.size},
       {"validation", scores_json(result.validation)},
       {"test", scores_json(result.test)},
       {"class_accuracy", class_accuracy(result.cones.storage, points, task.closure, task.classes)},
       {"learned_radius", trainer.radius()},
       {"train_edges", split.train.edge_count()},
       {"test_edges", split.test.edge_count()}});
  return line;
}

/// Trains from the run's checkpoint, if there is one, to the run's end or until ctrl-C.
template <class Progress>
void train_run(const Task& task, std::size_t number, const ConeRun& run, RunFiles& files,
               const Progress& progress) {
  const auto start = RunClock::now();
  embed::ConeTrainingOptions options = task.runs.training_with(run.percent);
  options.seed = run.seed;
  const auto split = task.split(run.percent, run.seed);
  ConeTrainer trainer(split, task.closure, options);
  if (task.start) trainer.start_from(*task.start);
  files.load(number, trainer);
  const double before = files.lines(number).empty() ? 0 : seconds_of(files.lines(number).back());
  progress(trainer.epochs());
  RunSteps steps;
  steps.checkpoint_every = task.runs.run.checkpoint_every;
  steps.complete = [&](json& line) {
    progress(1);
    line["seconds"] = before + seconds_since(start);
    if (trainer.epochs() % options.check_every == 0) line["validation_f1"] = trainer.last_f1();
  };
  if (run_loop(trainer, files, number, steps) == RunEnd::interrupted) return;
  const embed::ConeResult result = trainer.result();
  json line = results_line(result, trainer, split, task);
  line["seconds"] = before + seconds_since(start);
  if (files.are_written()) result.embedding.save(files / embedding_name(run));
  files.finish(number, std::move(line));
}

/// Mean and deviation in per cent.
std::string percent_text(const std::vector<double>& values) {
  const double mean = train::mean_of(values);
  return values.size() < 2 ? fmt::format("{:.1f}", 100 * mean)
                           : fmt::format("{:.1f} ± {:.1f}", 100 * mean,
                                         100 * train::sample_deviation(values, mean));
}

void print_table(const Task& task, const std::vector<ConeRun>& runs, const RunFiles& files) {
  std::vector<std::string> header = {"% of the edges", "F1", "precision", "recall",
                                     "validation F1"};
  if (!task.classes.empty()) header.push_back("classes");
  header.push_back("seconds");
  std::vector<std::vector<std::string>> rows;
  for (const double percent : task.runs.percents) {
    std::vector<double> f1, precision, recall, validation, accuracy;
    double seconds = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].percent != percent) continue;
      const ConeRunResults found = results_from(files.lines(i).back());
      f1.push_back(found.f1);
      precision.push_back(found.precision);
      recall.push_back(found.recall);
      validation.push_back(found.validation_f1);
      accuracy.push_back(found.class_accuracy);
      seconds += found.seconds;
    }
    rows.push_back({fmt::format("{:g}", percent), percent_text(f1), percent_text(precision),
                    percent_text(recall), percent_text(validation)});
    if (!task.classes.empty()) rows.back().push_back(percent_text(accuracy));
    rows.back().push_back(fmt::format("{:.1f}", seconds / double(f1.size())));
  }
  fmt::print("{}: {}; {} epochs, {} seeds\n\n{}", task.runs.name, task.runs.training.cones.text(),
             task.runs.training.epochs, task.runs.seeds, train::table_text(header, rows));
}

void check(const ConeRuns& runs) {
  constexpr int most_seeds = 10'000;  // a run of each percentage and seed is kept in memory
  if (runs.seeds < 1 || runs.seeds > most_seeds)
    throw DomainError(fmt::format("{} seeds, expected 1 to {}", runs.seeds, most_seeds));
  for (const double percent : runs.percents)
    if (!(percent >= 0 && percent + 2 * runs.held_out <= 100) || !(runs.held_out >= 0))
      throw DomainError(
          fmt::format("{:g} % for training and twice {:g} % held out are not within 0 and 100 %",
                      percent, runs.held_out));
}

/// Throws DomainError if there would be nothing to measure. This does not depend on the points.
void check_classes(const Task& task) {
  const Tensor<double> anywhere({std::int64_t(task.closure.node_count()), 2});
  if (!task.classes.empty() && std::isnan(class_accuracy(geometry::PointStorage::half_space,
                                                         anywhere, task.closure, task.classes)))
    throw DomainError(
        fmt::format("there is nothing to classify: no leaf is below exactly one of {}",
                    fmt::join(task.runs.classes, ", ")));
}
void check_measured(const Task& task, const embed::EdgeSplit& split) {
  const ConeRuns& runs = task.runs;
  for (const auto& [part, name] :
       {std::pair(&split.test, "the test"), {&split.validation, "validation"}})
    if (part->edge_count() == 0)
      throw DomainError(
          fmt::format("'{}' has no edge for {}: of those that follow from others {:g} "
                      "% are held out, which is less than one",
                      runs.name, name, runs.held_out));
}

/// Throws what a run would throw before its first epoch, so that no files are written for
/// impossible runs.
void check_runs(const Task& task) {
  check_classes(task);
  for (const double percent : task.runs.percents) {
    const embed::ConeTrainingOptions options = task.runs.training_with(percent);
    const auto split = task.split(percent, options.seed);
    check_measured(task, split);
    ConeTrainer trainer(split, task.closure, options);
    if (task.start) trainer.start_from(*task.start);
  }
}

}  // namespace

bool run_cones(const Graph& closure, const ConeRuns& runs) {
  check(runs);
  Task task{runs, closure, {}, {}};
  if (!runs.start.empty()) task.start = embed::Embedding::load(runs.start);
  for (const std::string& name : runs.classes) {
    task.classes.push_back(closure.find(name));
    if (task.classes.back() < 0) throw DomainError("there is no node '" + name + "'");
  }
  check_runs(task);
  std::vector<ConeRun> all;
  for (const double percent : runs.percents)
    for (int i = 0; i < runs.seeds; ++i)
      all.push_back({percent, runs.training.seed + std::uint64_t(i)});
  RunFiles files = files_of(runs.run.out, all);
  files.open(description(task), runs.run.resume);
  if (runs.run.resume) files.read();
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!files.is_done(i)) open.push_back(i);
  if (runs.run.resume && open.size() < all.size())
    fmt::print("resumed: {} of {} runs are done\n", all.size() - open.size(), all.size());
  std::fflush(stdout);
  const std::uint64_t total = open.size() * std::uint64_t(runs.training.epochs);
  output::ProgressBar bar(std::string(name_of(runs.training.cones.kind)), total, "epochs");
  std::atomic<std::uint64_t> done = 0;
  std::optional<InterruptNote> interrupt;
  if (files.are_written()) interrupt.emplace();  // without files, a stopped run could not continue
  // a run takes seconds, so each run may have a thread
  parallel_for(std::int64_t(open.size()), 1e12, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = std::size_t(begin); i < std::size_t(end) && !InterruptNote::is_there(); ++i)
      train_run(task, open[i], all[open[i]], files,
                [&](std::int64_t epochs) { bar.update(done += std::uint64_t(epochs), total); });
  });
  bar.finish();
  for (const std::size_t i : open)
    if (!files.is_done(i)) return false;
  print_table(task, all, files);
  return true;
}

}  // namespace mct::cli
