#include "apps/mct/embed/run_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "apps/mct/train/outputs.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/error.hpp"
#include "output/number_text.hpp"

namespace mct::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool is_epoch(const json& line) { return line.contains("epoch"); }

void check_epoch(const json& line) {
  static_cast<void>(line.at("epoch").get<std::int64_t>());
  static_cast<void>(line.at("stayed").get<std::int64_t>());
  for (const char* name : {"loss", "radius"}) static_cast<void>(train::number_from(line.at(name)));
}

}  // namespace

json epoch_line(const embed::Trainer& trainer) {
  return {{"epoch", trainer.epochs()},
          {"loss", trainer.last_epoch().loss},
          {"radius", trainer.radius()},
          {"stayed", trainer.last_epoch().stayed}};
}

std::string stayed_text(const std::vector<json>& lines) {
  std::uint64_t sum = 0;
  for (const json& line : lines)
    if (is_epoch(line)) sum += line.at("stayed").get<std::uint64_t>();
  if (sum == 0) return {};
  return fmt::format(
      "{} steps were not taken, because they were not finite or led too far: try a smaller --lr",
      output::count_text(sum));
}

RunFiles::RunFiles(fs::path directory, RunLog log, std::vector<TrainingRun> runs)
    : directory_(std::move(directory)),
      log_(std::move(log)),
      runs_(std::move(runs)),
      lines_(runs_.size()) {
  for (std::size_t run = 0; run < runs_.size(); ++run) by_name_[runs_[run].name] = run;
}

RunDirectory RunFiles::run_directory() const {
  RunDirectory directory{directory_, {log_.name}, log_.may_differ};
  directory.bring_up_to_date = [](nlohmann::ordered_json& description) {
    if (!description.is_object()) return;
    const auto model = description.find("model");
    if (model != description.end() && model->is_string())
      *model = embed::with_present_names(*model);
  };
  for (const TrainingRun& run : runs_) {
    directory.files.push_back(run.checkpoint);
    directory.files.insert(directory.files.end(), run.results.begin(), run.results.end());
  }
  return directory;
}

nlohmann::ordered_json RunFiles::description() const { return run_directory().description(); }

void RunFiles::open(const nlohmann::ordered_json& description, bool resume) {
  if (are_written()) lock_ = run_directory().open(description, resume);
}

void RunFiles::describe(const nlohmann::ordered_json& description) const {
  if (are_written()) run_directory().describe(description);
}

std::size_t RunFiles::run_of(const json& line) const {
  json name = json::object();
  for (const auto& [key, value] : runs_.front().name.items()) name[key] = line.at(key);
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) throw IoError("no run of these");
  return found->second;
}

void RunFiles::read() {
  if (!are_written() || !fs::exists(directory_ / log_.name)) return;
  for (auto& lines : lines_) lines.clear();
  train::for_each_line(directory_ / log_.name, [&](json& line) {
    const std::size_t run = run_of(line);
    if (is_epoch(line) || !log_.has_results) check_epoch(line);
    if (log_.check) log_.check(line);
    lines_[run].push_back(std::move(line));
  });
  // the process may have been killed between writing a run's results and removing its checkpoint
  for (std::size_t run = 0; run < runs_.size(); ++run)
    if (is_done(run)) fs::remove(directory_ / runs_[run].checkpoint);
}

bool RunFiles::is_done(std::size_t run) const {
  return !lines_[run].empty() && !is_epoch(lines_[run].back());
}

bool RunFiles::load(std::size_t run, embed::Trainer& trainer) {
  if (!are_written()) return false;
  const fs::path checkpoint = directory_ / runs_[run].checkpoint;
  const bool is_there = fs::exists(checkpoint);
  if (is_there) trainer.load(checkpoint);
  const std::int64_t begun = trainer.epochs() + (trainer.batches() > 0 ? 1 : 0);
  if (begun > trainer.options().epochs)
    throw DomainError(fmt::format("'{}' has begun epoch {} already: --epochs {} is too few",
                                  directory_.string(), begun, trainer.options().epochs));
  const std::scoped_lock lock(mutex_);
  std::vector<json>& lines = lines_[run];
  while (!lines.empty() && lines.back().at("epoch").get<std::int64_t>() > trainer.epochs())
    lines.pop_back();
  if (std::int64_t(lines.size()) != trainer.epochs())
    throw IoError(fmt::format("'{}' has {} epochs{}, the checkpoint beside it {}",
                              (directory_ / log_.name).string(), lines.size(), runs_[run].text,
                              trainer.epochs()));
  return is_there;
}

void RunFiles::log(std::size_t run, json line) {
  line.update(runs_[run].name);
  const std::scoped_lock lock(mutex_);
  lines_[run].push_back(std::move(line));
}

void RunFiles::write_log() {
  const std::scoped_lock lock(mutex_);
  std::vector<json> all;
  for (const auto& lines : lines_) all.insert(all.end(), lines.begin(), lines.end());
  train::write_lines(directory_ / log_.name, std::move(all));
}

void RunFiles::save(std::size_t run, const embed::Trainer& trainer) {
  if (!are_written()) return;
  write_log();
  trainer.save(directory_ / runs_[run].checkpoint);
}

void RunFiles::finish(std::size_t run, json line) {
  log(run, std::move(line));
  if (!are_written()) return;
  write_log();
  fs::remove(directory_ / runs_[run].checkpoint);
}

}  // namespace mct::cli
