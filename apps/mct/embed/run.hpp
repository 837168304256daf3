// A run of `mct embed`: training with checkpoints, a log, and an end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "apps/mct/embed/settings.hpp"
#include "apps/mct/embed/training_loop.hpp"
#include "apps/mct/train/run_directory.hpp"
#include "mctensor/embed/evaluate.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::cli {

/// What is logged of an epoch.
struct EpochRow {
  std::int64_t epoch = 0;  ///< counted from 1
  double loss = 0;
  double radius = 1;
  std::int64_t stayed = 0;  ///< rows that did not move
  std::optional<double> map, mean_rank;
};

struct RunResult {
  RunEnd end = RunEnd::all_epochs;
  std::vector<EpochRow> rows;
  double seconds = 0;         ///< of this process
  std::int64_t examples = 0;  ///< of this process
};

/// What a run leaves at its end.
namespace result_file {
inline constexpr const char* embedding = "embedding.safetensors";
inline constexpr const char* points = "points.npy";
inline constexpr const char* names = "names.txt";
inline constexpr const char* word_vectors = "points.tsv";
inline constexpr const char* metrics = "metrics.json";
inline constexpr const char* picture = "disk.svg";
inline constexpr const char* page = "disk.html";
inline constexpr const char* all[] = {embedding, points,  names, word_vectors,
                                      metrics,   picture, page};
}  // namespace result_file

/// The files of a run: run.json, log.jsonl, checkpoint.safetensors.
class RunFiles {
 public:
  explicit RunFiles(std::filesystem::path directory) : directory_(std::move(directory)) {}

  std::filesystem::path operator/(const char* name) const { return directory_ / name; }
  /// Gives epochs, burn-in, rate and sharpness those of the run that is there, if they are not
  /// given: more epochs are no other run, and what was chosen, by tuning perhaps, stays. Throws
  /// IoError for what is none there.
  void complete(EmbedSettings& settings) const;
  /// As RunDirectory::open, and as long as this lives.
  void open(const nlohmann::ordered_json& description, bool resume);
  /// As RunDirectory::describe.
  void describe(const nlohmann::ordered_json& description) const;
  /// The rows first, then the state: if the process ends in between, rows that are too many are
  /// dropped by load.
  void save(const embed::Trainer& trainer, const std::vector<EpochRow>& rows) const;
  /// False if there is no checkpoint. Throws DomainError for one of more epochs than the trainer is
  /// to have.
  bool load(embed::Trainer& trainer, std::vector<EpochRow>& rows) const;

 private:
  RunDirectory run_directory() const;

  std::filesystem::path directory_;
  DirectoryLock lock_;
};

/// Trains until all epochs are done, the loss gets no better, or ctrl-C; `rows` are those of epochs
/// that are done. The log and the state are saved from time to time and at the end. With `ranks`
/// every process calls it; rank 0 decides when, and saves.
RunResult run_training(embed::Trainer& trainer, const EmbedSettings& settings,
                       const RunFiles& files, std::vector<EpochRow> rows,
                       distributed::Communicator* ranks = nullptr);

/// True if the best loss of the last `patience` epochs after the burn-in is no better than the best
/// one before them, by a thousandth.
bool is_patience_over(const std::vector<EpochRow>& rows, std::int64_t burn_in,
                      std::int64_t patience);

}  // namespace mct::cli
