// The files of a command that trains: run.json, a log, and the checkpoints of its runs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/mct/train/run_directory.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::cli {

/// Where runs are written, according to the options.
struct RunSettings {
  std::filesystem::path out;     ///< empty: nothing is written
  bool resume = false;           ///< go on with the runs in `out`
  double checkpoint_every = 30;  ///< seconds
};

/// One training of a command.
struct TrainingRun {
  /// Each line of the run in the log has these members, too. They differ between runs of a command.
  nlohmann::json name = nlohmann::json::object();
  std::string text;                  ///< names the run in messages
  std::string checkpoint;            ///< name of a file
  std::vector<std::string> results;  ///< names of the files that the run leaves
};

/// The files that all runs of a command share.
struct RunLog {
  std::string name;                     ///< of the log
  std::vector<std::string> may_differ;  ///< as in RunDirectory
  /// Whether a last line without "epoch" holds the results of a run. Otherwise such a line is an
  /// error.
  bool has_results = false;
  /// Throws IoError or an exception of nlohmann::json for a line that lacks what the command adds.
  std::function<void(const nlohmann::json& line)> check = {};
};

/// The line of the epoch that has ended: "epoch" (counted from 1), "loss", "radius", "stayed".
nlohmann::json epoch_line(const embed::Trainer& trainer);

/// Says how many steps the epochs of these lines have not taken; empty if they have taken all.
std::string stayed_text(const std::vector<nlohmann::json>& lines);

/// The log has a line for each epoch of a run. If the last line holds the results, the run is done
/// and has no checkpoint. Several threads may work on one run each.
class RunFiles {
 public:
  RunFiles(std::filesystem::path directory, RunLog log, std::vector<TrainingRun> runs);

  bool are_written() const { return !directory_.empty(); }
  std::filesystem::path operator/(const std::string& name) const { return directory_ / name; }
  /// As RunDirectory::description.
  nlohmann::ordered_json description() const;
  /// As RunDirectory::open. The lock lives as long as this object.
  void open(const nlohmann::ordered_json& description, bool resume);
  /// As RunDirectory::describe.
  void describe(const nlohmann::ordered_json& description) const;

  /// Reads the log, if there is one. Throws IoError with the line that cannot be read.
  void read();
  bool is_done(std::size_t run) const;
  const std::vector<nlohmann::json>& lines(std::size_t run) const { return lines_[run]; }
  /// The trainer goes on from the checkpoint of the run, and lines of later epochs are dropped.
  /// False if there is no checkpoint. Throws DomainError for a checkpoint of more epochs than the
  /// trainer is to have, IoError if the log has fewer.
  bool load(std::size_t run, embed::Trainer& trainer);

  /// Adds a line. `save` or `finish` writes it.
  void log(std::size_t run, nlohmann::json line);
  /// Writes the log first, then the state: if the process ends in between, `load` drops lines.
  void save(std::size_t run, const embed::Trainer& trainer);
  /// Writes the line of the results. Call it after the files of the results are written.
  void finish(std::size_t run, nlohmann::json line);

 private:
  RunDirectory run_directory() const;
  std::size_t run_of(const nlohmann::json& line) const;
  void write_log();

  std::filesystem::path directory_;
  RunLog log_;
  std::vector<TrainingRun> runs_;
  std::map<nlohmann::json, std::size_t> by_name_;
  std::vector<std::vector<nlohmann::json>> lines_;  // of each run
  std::mutex mutex_;                                // of lines_ and their file
  DirectoryLock lock_;
};

}  // namespace mct::cli
