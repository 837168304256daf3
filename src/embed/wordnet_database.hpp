// The database files of WordNet, as wndb(5WN) describes them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace mct::embed {

/// One synset of a file data.noun or data.verb.
struct Synset {
  std::string offset;                           // its own, by which others name it: eight digits
  std::string word;                             // the first one
  std::vector<std::string> hypernyms;           // offsets after @
  std::vector<std::string> instance_hypernyms;  // offsets after @i
};

enum class PartOfSpeech : char { noun = 'n', verb = 'v' };

/// The synsets of one part of speech, in the order of the file, and where each is by its offset.
class WordnetData {
 public:
  /// Reads data.noun or data.verb of a directory. Throws IoError naming the file, the line and what
  /// is wrong there.
  WordnetData(const std::filesystem::path& directory, PartOfSpeech part);

  const std::vector<Synset>& synsets() const { return synsets_; }
  /// The synset with this offset. Throws IoError if there is none, naming who wants it.
  std::size_t find(const std::string& offset, const Synset& below) const;
  /// The path in quotes.
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::vector<Synset> synsets_;
  std::unordered_map<std::string, std::size_t> by_offset_;
};

/// NLTK's name for each synset, "dog.n.01", by the order of synsets in index.noun or index.verb.
/// Throws IoError naming the file, the line and what is wrong there, or the synset that is not in
/// the entry of its first word.
std::vector<std::string> synset_names(const std::filesystem::path& directory, PartOfSpeech part,
                                      const WordnetData& data);

}  // namespace mct::embed
