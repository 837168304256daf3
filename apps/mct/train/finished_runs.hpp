// Experiments of many runs that can be stopped and resumed.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

namespace mct::cli::train {

/// Adds --out and --resume. `file`: the file that is written into the directory.
void add_run_options(CLI::App& command, const char* file, std::filesystem::path& out, bool& resume);

/// The finished runs of an experiment, as lines of JSON in a file that is written anew after each
/// run. So an experiment that was stopped continues after the last finished run.
class FinishedRuns {
 public:
  /// `out`: the directory, which is made; if it is empty, nothing is written. `settings`:
  /// everything on which all runs depend; every line has them. With `resume` the runs of the file
  /// count as finished. Throws IoError for a directory or a file that cannot be used, DomainError
  /// for a file with runs of other settings.
  FinishedRuns(const std::filesystem::path& out, const char* file, nlohmann::json settings,
               bool resume);

  /// The line of the run with these names and values. If the file has no such line, `results` is
  /// called and its line is written.
  nlohmann::json get(const nlohmann::json& run, const std::function<nlohmann::json()>& results);

 private:
  const nlohmann::json* find(const nlohmann::json& run) const;

  std::filesystem::path path_;
  nlohmann::json settings_;
  std::vector<nlohmann::json> lines_;
};

}  // namespace mct::cli::train
