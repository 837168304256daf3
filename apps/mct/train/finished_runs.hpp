// Experiments of many runs that can be stopped and go on.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

namespace mct::cli::train {

/// Adds --out and --resume. `file`: the file that is written to the folder.
void add_run_options(CLI::App& command, const char* file, std::filesystem::path& out, bool& resume);

/// The finished runs of an experiment: lines of JSON in a file that is written anew after each, so
/// that an experiment that was stopped goes on behind the last one.
class FinishedRuns {
 public:
  /// `out`: the directory, which is made; if it is empty nothing is written. `settings`: all on
  /// which every run depends, in every line. With `resume` the runs of the file are there already.
  /// Throws IoError for a directory or a file that cannot be used, DomainError for one with runs of
  /// other settings.
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
