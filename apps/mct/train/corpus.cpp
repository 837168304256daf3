// Text as characters: files, blocks, sequences.
#include "apps/mct/train/corpus.hpp"

#include <fmt/format.h>

#include <array>

#include "apps/mct/train/counter_random.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/error.hpp"

namespace mct::cli::train {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t block = 4096;
constexpr std::size_t validation_every = 10;
constexpr std::uint64_t batch_stream = 5;
/// A character becomes a number of 8 bytes, so this is 8 GiB of them.
constexpr std::uint64_t longest_text = std::uint64_t(1) << 30;
constexpr const char* licences = "/usr/share/common-licenses";

/// FNV-1a.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ std::uint8_t(c)) * 0x100000001b3;
  return hash;
}

void append_sequence(Sequences& sequences, const std::vector<std::int64_t>& tokens,
                     std::int64_t from, std::int64_t context) {
  const auto begin = tokens.begin() + from;
  sequences.inputs.insert(sequences.inputs.end(), begin, begin + context);
  sequences.targets.insert(sequences.targets.end(), begin + 1, begin + context + 1);
}

}  // namespace

Corpus make_corpus(const std::string& text, const std::string& source, std::int64_t context) {
  Corpus corpus;
  corpus.source = source;
  corpus.hash = hash_of(text);
  std::array<std::int64_t, 256> number{};
  for (const char c : text) number[std::uint8_t(c)] = 1;
  for (auto& n : number) n = n == 0 ? -1 : corpus.vocabulary++;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool validates = i / block % validation_every == validation_every - 1;
    (validates ? corpus.validation : corpus.train).push_back(number[std::uint8_t(text[i])]);
  }
  if (std::int64_t(corpus.validation.size()) < context + 2)
    throw DomainError(fmt::format("the text '{}' has {} bytes; at least {} are needed", source,
                                  text.size(),
                                  (validation_every - 1) * block + std::size_t(context) + 2));
  return corpus;
}

Corpus load_corpus(const fs::path& path, std::int64_t context) {
  if (!path.empty())
    return make_corpus(InputFile(path).content(longest_text), path.string(), context);
  // one version of each licence, because older versions repeat most of it
  std::string text;
  for (const char* const name : {"Apache-2.0", "Artistic", "CC0-1.0", "GFDL-1.3", "GPL-2", "GPL-3",
                                 "LGPL-2.1", "MPL-1.1", "MPL-2.0"}) {
    std::error_code ignored;
    const fs::path file = fs::path(licences) / name;
    if (fs::is_regular_file(file, ignored)) text += InputFile(file).content(longest_text);
  }
  if (text.empty())
    throw IoError(fmt::format("no licence texts in '{}': --text FILE names a text", licences));
  return make_corpus(text, licences, context);
}

Sequences training_batch(const Corpus& corpus, std::int64_t batch, std::int64_t context,
                         std::uint64_t seed, std::int64_t step) {
  Sequences sequences;
  const auto places = std::int64_t(corpus.train.size()) - context;
  for (std::int64_t i = 0; i < batch; ++i)
    append_sequence(sequences, corpus.train,
                    below(places, seed, batch_stream, std::uint64_t(step * batch + i)), context);
  return sequences;
}

Sequences validation_batch(const Corpus& corpus, std::int64_t batch, std::int64_t context,
                           std::int64_t first, std::int64_t count) {
  Sequences sequences;
  const auto places = std::int64_t(corpus.validation.size()) - context;
  for (std::int64_t i = first; i < first + batch; ++i)
    append_sequence(sequences, corpus.validation, places * i / count, context);
  return sequences;
}

}  // namespace mct::cli::train
