#include "apps/mct/train/finished_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/mct/train/outputs.hpp"
#include "mctensor/error.hpp"

namespace mct::cli::train {

namespace fs = std::filesystem;

namespace {

constexpr const char* settings_key = "settings";

/// Throws DomainError for other settings, naming the first difference.
void require_settings(const fs::path& path, const nlohmann::json& line,
                      const nlohmann::json& settings) {
  const nlohmann::json found = line.is_object() ? line.value(settings_key, nlohmann::json()) : line;
  for (const auto& [name, value] : settings.items()) {
    const nlohmann::json other = found.is_object() ? found.value(name, nlohmann::json()) : found;
    if (other != value)
      throw DomainError(fmt::format("'{}' has runs of other settings: {} {}, not {}", path.string(),
                                    name, other.dump(), value.dump()));
  }
}

}  // namespace

void add_run_options(CLI::App& command, const char* file, fs::path& out, bool& resume) {
  CLI::Option* const directory = command.add_option(
      "--out", out, fmt::format("Write {}, a line a run, into this directory [none]", file));
  command.add_flag("--resume", resume, "Go on with the runs that are not there yet")
      ->needs(directory);
}

FinishedRuns::FinishedRuns(const fs::path& out, const char* file, nlohmann::json settings,
                           bool resume)
    : settings_(std::move(settings)) {
  if (out.empty()) return;
  prepare_directory(out);
  path_ = out / file;
  if (!resume || !fs::exists(path_)) return;
  lines_ = read_lines(path_);
  for (const nlohmann::json& line : lines_) require_settings(path_, line, settings_);
}

nlohmann::json FinishedRuns::get(const nlohmann::json& run,
                                 const std::function<nlohmann::json()>& results) {
  if (const nlohmann::json* const line = find(run)) return *line;
  nlohmann::json line = run;
  line.update(results());
  line[settings_key] = settings_;
  lines_.push_back(line);
  if (!path_.empty()) write_lines(path_, lines_);
  return line;
}

const nlohmann::json* FinishedRuns::find(const nlohmann::json& run) const {
  const auto is_run = [&](const nlohmann::json& line) {
    return std::all_of(run.items().begin(), run.items().end(), [&](const auto& item) {
      return line.value(item.key(), nlohmann::json()) == item.value();
    });
  };
  const auto found = std::find_if(lines_.begin(), lines_.end(), is_run);
  return found == lines_.end() ? nullptr : &*found;
}

}  // namespace mct::cli::train
