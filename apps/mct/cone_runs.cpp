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

/// The results of a run, for the table: of all relations, or of one.
struct ConeScores {
  double f1 = 0, precision = 0, recall = 0, validation_f1 = 0;
};
struct ConeRunResults {
  ConeScores all;
  std::vector<ConeScores> relations;  // none: there is only one
  double class_accuracy = 0, seconds = 0;
};

double seconds_of(const json& line) { return train::number_from(line.at("seconds")); }

ConeScores scores_from(const json& line) {
  const auto number = [](const json& value) { return train::number_from(value); };
  const json& test = line.at("test");
  return {number(test.at("f1")), number(test.at("precision")), number(test.at("recall")),
          number(line.at("validation").at("f1"))};
}
ConeRunResults results_from(const json& line, std::size_t relations) {
  ConeRunResults results{
      scores_from(line), {}, train::number_from(line.at("class_accuracy")), seconds_of(line)};
  if (relations > 1)
    for (std::size_t i = 0; i < relations; ++i)
      results.relations.push_back(scores_from(line.at("relations").at(i)));
  return results;
}

std::string embedding_name(const ConeRun& run) {
  return fmt::format("{:g}-{}.safetensors", run.percent, run.seed);
}

RunFiles files_of(const std::filesystem::path& directory, const std::vector<ConeRun>& runs,
                  std::size_t relations) {
  const RunLog log{"cones.jsonl", {}, true, [relations](const json& line) {
                     static_cast<void>(seconds_of(line));
                     if (!line.contains("epoch")) static_cast<void>(results_from(line, relations));
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
  const std::vector<ConeHierarchy>& hierarchies;
  std::vector<std::int32_t> classes;
  std::optional<embed::Embedding> start;

  const Graph& closure() const { return hierarchies[0].closure; }
  bool has_several() const { return hierarchies.size() > 1; }
  /// With a split of each.
  std::vector<embed::TrainedRelation> relations(double percent, std::uint64_t seed) const {
    std::vector<embed::TrainedRelation> all;
    for (const ConeHierarchy& one : hierarchies)
      all.push_back({has_several() ? one.name : "", split(one.closure, percent, seed), one.closure,
                     one.light});
    return all;
  }

 private:
  embed::EdgeSplit split(const Graph& closure, double percent, std::uint64_t seed) const {
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
                              {"nodes", task.closure().node_count()},
                              {"edges", task.closure().edge_count()},
                              {"graph", fingerprint(task.closure())},
                              {"names", fingerprint(*task.closure().names())},
                              {"percents", runs.percents},
                              {"held-out", runs.held_out},
                              {"split-files", runs.split_files.string()},
                              {"seeds", runs.seeds},
                              {"classes", runs.classes}};
  d.update(described(o));
  d.update({{"sizes", o.sizes}, {"from", runs.start.string()}});
  d["of-basic-edges"] = described(runs.of_basic);
  if (task.has_several() || !task.hierarchies[0].light.empty())
    for (const ConeHierarchy& one : task.hierarchies)
      d["relations"].push_back({{"relation", one.name},
                                {"light", one.light},
                                {"edges", one.closure.edge_count()},
                                {"graph", fingerprint(one.closure)}});
  return d;
}

json results_line(const embed::ConeResult& result, const ConeTrainer& trainer,
                  const std::vector<embed::TrainedRelation>& relations, const Task& task) {
  const auto points = result.embedding.coordinates().reshape(trainer.points().shape());
  json line = json(described(trainer.options()));
  line.update({{"best_epoch", result.epoch},
               {"validation", scores_json(result.validation)},
               {"test", scores_json(result.test)},
               {"class_accuracy",
                class_accuracy(result.cones.storage, points, task.closure(), task.classes)},
               {"learned_radius", trainer.radius()}});
  std::size_t train_edges = 0, test_edges = 0;
  for (std::size_t i = 0; i < relations.size(); ++i) {
    const embed::RelationResult& found = result.relations[i];
    const embed::EdgeSplit& split = relations[i].split;
    train_edges += split.train.edge_count();
    test_edges += split.test.edge_count();
    if (!task.has_several()) {
      line["chosen_size"] = found.cones.size;
      if (!found.cones.light.empty()) line["light"] = found.cones.light;
      continue;
    }
    line["relations"].push_back({{"relation", found.name},
                                 {"light", found.cones.light},
                                 {"chosen_size", found.cones.size},
                                 {"validation", scores_json(found.validation)},
                                 {"test", scores_json(found.test)},
                                 {"train_edges", split.train.edge_count()},
                                 {"test_edges", split.test.edge_count()}});
  }
  line.update({{"train_edges", train_edges}, {"test_edges", test_edges}});
  return line;
}

/// Trains from the run's checkpoint, if there is one, to the run's end or until ctrl-C.
template <class Progress>
void train_run(const Task& task, std::size_t number, const ConeRun& run, RunFiles& files,
               const Progress& progress) {
  const auto start = RunClock::now();
  embed::ConeTrainingOptions options = task.runs.training_with(run.percent);
  options.seed = run.seed;
  const auto relations = task.relations(run.percent, run.seed);
  ConeTrainer trainer(relations, options);
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
  json line = results_line(result, trainer, relations, task);
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

/// "1176 basic edges, light at (1)".
std::string light_text(const ConeHierarchy& hierarchy, const Task& task) {
  const bool in_ball = task.runs.training.cones.storage == geometry::PointStorage::ball;
  const std::string usual = in_ball ? "at the origin" : "above";
  return fmt::format(
      "{} edges, light {}", hierarchy.closure.edge_count(),
      hierarchy.light.empty() ? usual : fmt::format("at ({:g})", fmt::join(hierarchy.light, ", ")));
}

/// Scores of several seeds, as cells of the table.
std::vector<std::string> score_cells(const std::vector<ConeScores>& of_seeds) {
  const auto cell = [&](double ConeScores::*score) {
    std::vector<double> values;
    values.reserve(of_seeds.size());
    for (const ConeScores& scores : of_seeds) values.push_back(scores.*score);
    return percent_text(values);
  };
  return {cell(&ConeScores::f1), cell(&ConeScores::precision), cell(&ConeScores::recall),
          cell(&ConeScores::validation_f1)};
}

void print_table(const Task& task, const std::vector<ConeRun>& runs, const RunFiles& files) {
  const std::size_t relations = task.has_several() ? task.hierarchies.size() : 0;
  std::vector<std::string> header = {"% of the edges", "F1", "precision", "recall",
                                     "validation F1"};
  if (relations > 0) header.insert(header.begin() + 1, "relation");
  if (!task.classes.empty()) header.push_back("classes");
  header.push_back("seconds");
  std::vector<std::vector<std::string>> rows;
  for (const double percent : task.runs.percents) {
    std::vector<std::vector<ConeScores>> scores(relations + 1);  // the last: of all together
    std::vector<double> accuracy;
    double seconds = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].percent != percent) continue;
      const ConeRunResults found = results_from(files.lines(i).back(), relations);
      for (std::size_t k = 0; k < relations; ++k) scores[k].push_back(found.relations[k]);
      scores[relations].push_back(found.all);
      accuracy.push_back(found.class_accuracy);
      seconds += found.seconds;
    }
    for (std::size_t k = 0; k <= relations; ++k) {
      std::vector<std::string>& row = rows.emplace_back(score_cells(scores[k]));
      if (relations > 0) row.insert(row.begin(), k == relations ? "all" : task.hierarchies[k].name);
      row.insert(row.begin(), fmt::format("{:g}", percent));
      if (!task.classes.empty()) row.push_back(percent_text(accuracy));
      row.push_back(k == relations ? fmt::format("{:.1f}", seconds / double(accuracy.size())) : "");
    }
  }
  embed::ConeSystem cones = task.runs.training.cones;
  if (relations == 0) cones.light = task.hierarchies[0].light;
  fmt::print("{}: {}; {} epochs, {} seeds\n", task.runs.name, cones.text(),
             task.runs.training.epochs, task.runs.seeds);
  for (std::size_t k = 0; k < relations; ++k)
    fmt::print("{}: {}\n", task.hierarchies[k].name, light_text(task.hierarchies[k], task));
  fmt::print("\n{}", train::table_text(header, rows));
  std::vector<json> all;
  for (std::size_t i = 0; i < runs.size(); ++i)
    all.insert(all.end(), files.lines(i).begin(), files.lines(i).end());
  if (const std::string stayed = stayed_text(all); !stayed.empty()) fmt::print("\n{}\n", stayed);
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
  const Tensor<double> anywhere({std::int64_t(task.closure().node_count()), 2});
  if (!task.classes.empty() && std::isnan(class_accuracy(geometry::PointStorage::half_space,
                                                         anywhere, task.closure(), task.classes)))
    throw DomainError(
        fmt::format("there is nothing to classify: no leaf is below exactly one of {}",
                    fmt::join(task.runs.classes, ", ")));
}
void check_measured(const std::string& hierarchy, const embed::EdgeSplit& split, double held_out) {
  for (const auto& [part, name] :
       {std::pair(&split.test, "the test"), {&split.validation, "validation"}})
    if (part->edge_count() == 0)
      throw DomainError(
          fmt::format("'{}' has no edge for {}: of those that follow from others {:g} "
                      "% are held out, which is less than one",
                      hierarchy, name, held_out));
}

/// Throws what a run would throw before its first epoch, so that no files are written for
/// impossible runs.
void check_runs(const Task& task) {
  check_classes(task);
  for (const double percent : task.runs.percents) {
    const embed::ConeTrainingOptions options = task.runs.training_with(percent);
    const auto relations = task.relations(percent, options.seed);
    for (std::size_t i = 0; i < relations.size(); ++i)
      check_measured(task.hierarchies[i].name, relations[i].split, task.runs.held_out);
    ConeTrainer trainer(relations, options);
    if (task.start) trainer.start_from(*task.start);
  }
}

}  // namespace

bool run_cones(const std::vector<ConeHierarchy>& hierarchies, const ConeRuns& runs) {
  check(runs);
  Task task{runs, hierarchies, {}, {}};
  if (!runs.start.empty()) task.start = embed::Embedding::load(runs.start);
  for (const std::string& name : runs.classes) {
    task.classes.push_back(task.closure().find(name));
    if (task.classes.back() < 0) throw DomainError("there is no node '" + name + "'");
  }
  check_runs(task);
  std::vector<ConeRun> all;
  for (const double percent : runs.percents)
    for (int i = 0; i < runs.seeds; ++i)
      all.push_back({percent, runs.training.seed + std::uint64_t(i)});
  RunFiles files = files_of(runs.run.out, all, hierarchies.size());
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
