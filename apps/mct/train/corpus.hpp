// Text as characters, for a language model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mct::cli::train {

/// The bytes of a text as numbers 0 ... vocabulary - 1, in the order of the bytes' values. The last
/// of every ten blocks of 4096 bytes is for validation.
struct Corpus {
  std::vector<std::int64_t> train;
  std::vector<std::int64_t> validation;
  std::int64_t vocabulary = 0;
  /// A hash of the text: a run can only be resumed with the same text.
  std::uint64_t hash = 0;
  std::string source;
};

/// Throws DomainError for a text that is too short to validate sequences of `context` characters.
Corpus make_corpus(const std::string& text, const std::string& source, std::int64_t context);

/// The text of a file, or, if the path is empty, the licences that Debian's base system has in
/// /usr/share/common-licenses. Throws IoError for a file that cannot be read, is no regular file or
/// has more than 2^30 bytes.
Corpus load_corpus(const std::filesystem::path& path, std::int64_t context);

/// Inputs and targets of `batch` sequences of `context` characters: the targets are one character
/// ahead.
struct Sequences {
  std::vector<std::int64_t> inputs;
  std::vector<std::int64_t> targets;
};
/// The sequences of a training step: their places depend on the seed and the step alone.
Sequences training_batch(const Corpus& corpus, std::int64_t batch, std::int64_t context,
                         std::uint64_t seed, std::int64_t step);
/// The sequences from `first` on, of `count` that are spread evenly over the validation text.
Sequences validation_batch(const Corpus& corpus, std::int64_t batch, std::int64_t context,
                           std::int64_t first, std::int64_t count);

}  // namespace mct::cli::train
