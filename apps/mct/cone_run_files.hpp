// The files of the runs of `mct cones`: run.json and cones.jsonl, and of each run PERCENT-SEED.
// safetensors and, while it is on its way, PERCENT-SEED.checkpoint.safetensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/mct/train/run_directory.hpp"
#include "mctensor/embed/cone_training.hpp"

namespace mct::cli {

struct ConeRun {
  double percent = 0;
  std::uint64_t seed = 0;
};

/// What a run has found, as the table has it.
struct ConeRunResults {
  double f1 = 0, precision = 0, recall = 0, validation_f1 = 0, class_accuracy = 0, seconds = 0;
};

/// Logs of runs that several threads work on, one each. Without a directory nothing is written.
class ConeRunFiles {
 public:
  ConeRunFiles(std::filesystem::path directory, std::vector<ConeRun> runs);

  /// As RunDirectory::open, and as long as this lives; then the log that is there is read. Throws
  /// IoError naming the line of one that cannot be.
  void open(const nlohmann::ordered_json& description, bool resume);
  bool is_done(std::size_t run) const;
  /// Of a run that is done.
  ConeRunResults results(std::size_t run) const;
  /// The trainer goes on from the checkpoint of the run, if there is one; lines of later epochs are
  /// dropped. How many seconds the run has taken so far.
  double load(std::size_t run, embed::ConeTrainer& trainer);

  /// One line for each epoch, with "percent" and "seed" added.
  void log(std::size_t run, nlohmann::json line);
  /// The log first, then the state: if the process ends in between, load drops lines.
  void save(std::size_t run, const embed::ConeTrainer& trainer);
  /// The embedding, then the line of the results, with which the run is done.
  void finish(std::size_t run, nlohmann::json line, const embed::Embedding& embedding);

 private:
  std::filesystem::path file_of(std::size_t run, const char* ending) const;
  std::filesystem::path log_file() const;
  void read_log();
  void write_log();

  std::filesystem::path directory_;
  std::vector<ConeRun> runs_;
  std::vector<std::vector<nlohmann::json>> lines_;
  std::mutex mutex_;  // of lines_ and their file
  DirectoryLock lock_;
};

}  // namespace mct::cli
