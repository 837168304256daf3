// The files of a GPT run: its description, its metrics, its checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/mct/train/gpt_train.hpp"
#include "apps/mct/train/run_directory.hpp"

namespace mct::cli::train {

/// Everything that the result depends on.
nlohmann::json describe_run(const Corpus& corpus, const StrategyArm& arm,
                            const GptOptions& options);

/// Opens the directory of a run as RunDirectory::open does.
DirectoryLock open_run(const std::filesystem::path& directory, const nlohmann::json& description,
                       bool resume);

/// Saves the rows first, then the optimizer: if the process ends in between, load_rows drops the
/// extra rows. `seconds`: of all processes so far.
template <class T>
void save_checkpoint(const std::filesystem::path& directory, const std::vector<GptRow>& rows,
                     double seconds, const optim::McAdamW<bfloat16, T>& optimizer);
/// Only saves the rows and seconds, for a checkpoint that is then written to checkpoint_file.
void save_rows(const std::filesystem::path& directory, const std::vector<GptRow>& rows,
               double seconds);
std::filesystem::path checkpoint_file(const std::filesystem::path& directory);
void save_seconds(const std::filesystem::path& directory, double seconds);
/// The seconds that were saved, 0 if there is no file. Throws IoError for a file without them.
double load_seconds(const std::filesystem::path& directory);
/// False if there is no file. Throws IoError for a file of another model.
template <class T>
bool load_checkpoint(const std::filesystem::path& directory,
                     optim::McAdamW<bfloat16, T>& optimizer);
/// The rows up to a step.
std::vector<GptRow> load_rows(const std::filesystem::path& directory, std::int64_t last_step);

/// The model's parameters by name.
template <class T>
void save_weights(const std::filesystem::path& directory, const Gpt<T>& model);

}  // namespace mct::cli::train
