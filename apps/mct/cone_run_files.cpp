// The files of the runs of `mct cones`.
#include "apps/mct/cone_run_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "apps/mct/train/outputs.hpp"
#include "mctensor/error.hpp"

namespace mct::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* log_name = "cones.jsonl";
constexpr const char* embedding_ending = ".safetensors";
constexpr const char* checkpoint_ending = ".checkpoint.safetensors";

bool has_results(const json& line) { return line.contains("test"); }

ConeRunResults results_from(const json& line) {
  const auto number = [](const json& value) { return train::number_from(value); };
  const json& test = line.at("test");
  return {number(test.at("f1")),
          number(test.at("precision")),
          number(test.at("recall")),
          number(line.at("validation").at("f1")),
          number(line.at("class_accuracy")),
          number(line.at("seconds"))};
}

}  // namespace

ConeRunFiles::ConeRunFiles(fs::path directory, std::vector<ConeRun> runs)
    : directory_(std::move(directory)), runs_(std::move(runs)), lines_(runs_.size()) {}

fs::path ConeRunFiles::file_of(std::size_t run, const char* ending) const {
  return directory_ / fmt::format("{:g}-{}{}", runs_[run].percent, runs_[run].seed, ending);
}
fs::path ConeRunFiles::log_file() const { return directory_ / log_name; }

void ConeRunFiles::open(const nlohmann::ordered_json& description, bool resume) {
  if (directory_.empty()) return;
  RunDirectory directory{directory_, {log_name}, {}};
  for (std::size_t run = 0; run < runs_.size(); ++run)
    for (const char* ending : {embedding_ending, checkpoint_ending})
      directory.files.push_back(file_of(run, ending).filename().string());
  lock_ = directory.open(description, resume);
  if (fs::exists(log_file())) read_log();
}

void ConeRunFiles::read_log() {
  train::for_each_line(log_file(), [&](json& line) {
    const ConeRun of{line.at("percent"), line.at("seed")};
    std::size_t run = 0;
    while (run < runs_.size() && (runs_[run].percent != of.percent || runs_[run].seed != of.seed))
      ++run;
    if (run == runs_.size()) throw IoError("no run of these");
    if (has_results(line)) {
      static_cast<void>(results_from(line));
    } else {
      static_cast<void>(line.at("epoch").get<std::int64_t>());
      static_cast<void>(train::number_from(line.at("seconds")));
    }
    lines_[run].push_back(std::move(line));
  });
  // of a process that was killed between a run's last line and the end of its checkpoint
  for (std::size_t run = 0; run < runs_.size(); ++run)
    if (is_done(run)) fs::remove(file_of(run, checkpoint_ending));
}

bool ConeRunFiles::is_done(std::size_t run) const {
  return !lines_[run].empty() && has_results(lines_[run].back());
}
ConeRunResults ConeRunFiles::results(std::size_t run) const {
  return results_from(lines_[run].back());
}

double ConeRunFiles::load(std::size_t run, embed::ConeTrainer& trainer) {
  if (directory_.empty()) return 0;
  const fs::path checkpoint = file_of(run, checkpoint_ending);
  if (fs::exists(checkpoint)) trainer.load(checkpoint);
  const std::scoped_lock lock(mutex_);
  std::vector<json>& lines = lines_[run];
  while (!lines.empty() && lines.back().at("epoch").get<std::int64_t>() > trainer.epochs())
    lines.pop_back();
  if (lines.size() != std::size_t(trainer.epochs()))
    throw IoError(fmt::format("'{}' has {} epochs of {:g} % and seed {}, the checkpoint {}",
                              log_file().string(), lines.size(), runs_[run].percent,
                              runs_[run].seed, trainer.epochs()));
  return lines.empty() ? 0 : train::number_from(lines.back().at("seconds"));
}

void ConeRunFiles::log(std::size_t run, json line) {
  line["percent"] = runs_[run].percent;
  line["seed"] = runs_[run].seed;
  const std::scoped_lock lock(mutex_);
  lines_[run].push_back(std::move(line));
}

void ConeRunFiles::write_log() {
  if (directory_.empty()) return;
  const std::scoped_lock lock(mutex_);
  std::vector<json> all;
  for (const auto& lines : lines_) all.insert(all.end(), lines.begin(), lines.end());
  train::write_lines(log_file(), std::move(all));
}

void ConeRunFiles::save(std::size_t run, const embed::ConeTrainer& trainer) {
  if (directory_.empty()) return;
  write_log();
  trainer.save(file_of(run, checkpoint_ending));
}

void ConeRunFiles::finish(std::size_t run, json line, const embed::Embedding& embedding) {
  if (!directory_.empty()) embedding.save(file_of(run, embedding_ending));
  log(run, std::move(line));
  write_log();
  if (!directory_.empty()) fs::remove(file_of(run, checkpoint_ending));
}

}  // namespace mct::cli
