#include "apps/mct/embed/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <type_traits>
#include <vector>

#include "apps/mct/embed/interrupt.hpp"
#include "apps/mct/embed/processes.hpp"
#include "apps/mct/train/outputs.hpp"
#include "mctensor/embed/evaluate.hpp"
#include "mctensor/error.hpp"
#include "output/progress.hpp"

namespace mct::cli {
namespace {

using nlohmann::json;

/// How many nodes are ranked for a metric during training.
constexpr std::size_t early_objects = 1000;

constexpr const char* metric_names[] = {"map", "mean_rank"};

void check_metrics(const json& line) {
  for (const char* name : metric_names)
    if (line.contains(name)) static_cast<void>(train::number_from(line[name]));
}

void add_metrics(json& line, embed::Trainer& trainer, const distributed::Communicator* ranks) {
  trainer.collect();
  if (!is_first(ranks)) return;
  embed::EvaluateOptions options;
  options.objects = early_objects;
  const auto report = evaluate(trainer.embedding().half_space(), trainer.graph(), options);
  line["map"] = report.mean_average_precision;
  line["mean_rank"] = report.mean_rank;
}

std::string note_of(const std::vector<json>& lines) {
  if (lines.empty()) return {};
  const json& last = lines.back();
  std::string note = fmt::format("epoch {}, loss {:.4f}", last.at("epoch").get<std::int64_t>(),
                                 train::number_from(last.at("loss")));
  const auto measured = std::find_if(lines.rbegin(), lines.rend(),
                                     [](const json& line) { return line.contains("map"); });
  if (measured != lines.rend())
    note += fmt::format(", MAP {:.4f}", train::number_from(measured->at("map")));
  return note;
}

std::vector<double> losses_of(const std::vector<json>& lines) {
  std::vector<double> losses;
  for (const json& line : lines) losses.push_back(train::number_from(line.at("loss")));
  return losses;
}

}  // namespace

EmbedFiles::EmbedFiles(const std::filesystem::path& directory)
    : RunFiles(
          directory,
          // a run is resumed for more epochs
          {"log.jsonl", {"epochs", "patience", "evaluate-every"}, false, check_metrics},
          {TrainingRun{.name = nlohmann::json::object(),
                       .text = {},
                       .checkpoint = "checkpoint.safetensors",
                       .results = {std::begin(result_file::all), std::end(result_file::all)}}}) {}

void EmbedFiles::complete(EmbedSettings& settings) const {
  const nlohmann::ordered_json found = description();
  const auto take = [&](const char* name, auto& value, const char* what, auto is_one) {
    if (value || !found.is_object() || !found.contains(name)) return;
    if (!is_one(found[name]))
      throw IoError(fmt::format("'{}': its {} is {}, no {}", (*this / "run.json").string(), name,
                                found[name].dump(), what));
    value = found[name].get<typename std::decay_t<decltype(value)>::value_type>();
  };
  const auto is_count = [](const auto& x) { return x.is_number_unsigned() && x <= 1'000'000'000; };
  const auto is_number = [](const auto& x) { return x.is_number(); };
  take("epochs", settings.epochs, "number of epochs", is_count);
  take("burn-in", settings.burn_in, "number of epochs", is_count);
  take("cool-down", settings.cool_down, "number of epochs", is_count);
  take("lr", settings.lr, "number", is_number);
  take("lr-peak", settings.lr_peak, "number", is_number);
  take("sharpness", settings.sharpness, "number", is_number);
}

bool is_patience_over(std::span<const double> losses, std::int64_t burn_in, std::int64_t patience) {
  const std::int64_t begin = std::max<std::int64_t>(burn_in, 0);
  const std::int64_t middle = std::int64_t(losses.size()) - patience;
  if (patience == 0 || middle <= begin) return false;
  const auto best = [&](std::int64_t from, std::int64_t to) {
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t i = from; i < to; ++i) least = std::min(least, losses[std::size_t(i)]);
    return least;
  };
  return !(best(middle, std::int64_t(losses.size())) < best(begin, middle) * (1 - 1e-3));
}

RunResult run_training(embed::Trainer& trainer, const EmbedSettings& settings, EmbedFiles& files,
                       distributed::Communicator* ranks) {
  const auto& options = trainer.options();
  const auto edges = std::int64_t(trainer.graph().edge_count());
  const auto total = std::uint64_t(options.epochs * edges);
  const auto done = [&] {
    return std::uint64_t(trainer.epochs() * edges +
                         std::min(trainer.batches() * options.batch, edges));
  };
  const std::uint64_t before = done();
  output::ProgressBar bar("train", total - before, "edges");
  const InterruptNote interrupt;
  const auto start = RunClock::now();
  const std::int64_t patience = patience_of(settings, options);
  std::vector<double> losses = losses_of(files.lines(0));
  RunSteps steps;
  steps.checkpoint_every = settings.run.checkpoint_every;
  steps.complete = [&](json& line) {
    losses.push_back(trainer.last_epoch().loss);
    if (settings.evaluate_every > 0 && trainer.epochs() % settings.evaluate_every == 0)
      add_metrics(line, trainer, ranks);
  };
  steps.goes_on = [&] { return !is_patience_over(losses, options.burn_in, patience); };
  steps.show = [&] {
    bar.set_note(note_of(files.lines(0)));
    bar.update(done() - before, total - before);
  };
  RunResult result;
  result.end = run_loop(trainer, files, 0, steps, ranks);
  bar.finish();
  result.seconds = seconds_since(start);
  result.examples = std::int64_t(done() - before);
  return result;
}

}  // namespace mct::cli
