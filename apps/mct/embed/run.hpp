// A run of `mct embed`: training with checkpoints, a log, and an end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "apps/mct/embed/run_files.hpp"
#include "apps/mct/embed/settings.hpp"
#include "apps/mct/embed/training_loop.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::cli {

struct RunResult {
  RunEnd end = RunEnd::all_epochs;
  double seconds = 0;         ///< of this process
  std::int64_t examples = 0;  ///< of this process
};

/// The results of a run at its end.
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

/// The files of the only run of `mct embed`, whose number is 0.
class EmbedFiles : public RunFiles {
 public:
  explicit EmbedFiles(const std::filesystem::path& directory);
  /// Takes epochs, burn-in, cool-down, rate and sharpness from the run in the directory, if the
  /// settings do not give them. A run with more epochs is still the same run, and values that were
  /// chosen, perhaps by tuning, stay. Throws IoError for a value of another type.
  void complete(EmbedSettings& settings) const;
};

/// Trains until all epochs are done, the loss no longer gets better, or ctrl-C comes. The files
/// then have the lines of the finished epochs. With `ranks` every process calls it.
RunResult run_training(embed::Trainer& trainer, const EmbedSettings& settings, EmbedFiles& files,
                       distributed::Communicator* ranks = nullptr);

/// True if the best loss of the last `patience` epochs after the burn-in is no better, by a
/// thousandth, than the best one before them. `losses` has one for each epoch.
bool is_patience_over(std::span<const double> losses, std::int64_t burn_in, std::int64_t patience);

}  // namespace mct::cli
