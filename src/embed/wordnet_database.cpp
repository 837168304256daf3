// The database files of WordNet.
#include "src/embed/wordnet_database.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "mctensor/base/number_in.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

/// The fields of a line, one by one.
class Fields {
 public:
  Fields(const TextLines& lines, std::string_view line)
      : lines_(lines), words_(words_of(line.substr(0, line.find('|')), " ")) {}

  std::string_view next(const char* what) {
    if (at_ == words_.size()) lines_.fail(std::string("the line ends before the ") + what);
    return words_[at_++];
  }
  int number(const char* what, int base) {
    const std::string_view word = next(what);
    const std::optional<int> value = number_in<int>(word, base);
    if (!value || *value < 0)
      lines_.fail(std::string("the ") + what + " is " + shortened(word) + ", not a number");
    return *value;
  }

 private:
  const TextLines& lines_;
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
};

/// offset file type word_count (word id)... pointer_count (symbol offset part source_target)...
Synset parse_synset(const TextLines& lines, std::string_view line, PartOfSpeech part) {
  Fields fields(lines, line);
  Synset synset;
  synset.offset = fields.next("offset");
  fields.next("number of the lexicographer file");
  const std::string wanted(1, char(part));
  if (const auto type = fields.next("type"); type != wanted)
    lines.fail("a synset of type " + shortened(type) + ", not '" + wanted + "'");
  const int words = fields.number("number of words", 16);
  for (int i = 0; i < words; ++i) {
    const auto word = fields.next("word");
    if (i == 0) synset.word = word;
    fields.next("number of the word's sense");
  }
  const int pointers = fields.number("number of pointers", 10);
  for (int i = 0; i < pointers; ++i) {
    const auto symbol = fields.next("symbol of a pointer");
    const auto target = fields.next("target of a pointer");
    fields.next("part of speech of a pointer");
    fields.next("source and target of a pointer");
    if (symbol == "@") synset.hypernyms.emplace_back(target);
    if (symbol == "@i") synset.instance_hypernyms.emplace_back(target);
  }
  return synset;
}

std::string file_of(const char* kind, PartOfSpeech part) {
  return std::string(kind) + (part == PartOfSpeech::noun ? ".noun" : ".verb");
}

bool is_licence(std::string_view line) { return line.starts_with("  "); }

/// lemma part synset_count pointer_count symbol... sense_count tagged_count offset...
struct IndexEntry {
  std::string lemma;
  std::vector<std::string> offsets;  // of its synsets, sense 1 first
};

IndexEntry parse_entry(const TextLines& lines, std::string_view line) {
  Fields fields(lines, line);
  IndexEntry entry;
  entry.lemma = fields.next("lemma");
  fields.next("part of speech");
  const int synsets = fields.number("number of synsets", 10);
  const int pointers = fields.number("number of pointers", 10);
  for (int i = 0; i < pointers; ++i) fields.next("symbol of a pointer");
  fields.next("number of senses");
  fields.next("number of tagged senses");
  for (int i = 0; i < synsets; ++i) entry.offsets.emplace_back(fields.next("offset"));
  return entry;
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return text;
}

/// NLTK's two digits at least.
std::string sense_text(std::size_t sense) {
  return (sense < 10 ? "0" : "") + std::to_string(sense);
}

}  // namespace

WordnetData::WordnetData(const std::filesystem::path& directory, PartOfSpeech part) {
  TextLines lines(directory / file_of("data", part));
  file_ = lines.name();
  std::string_view line;
  while (lines.next(line)) {
    if (is_licence(line)) continue;
    Synset synset = parse_synset(lines, line, part);
    if (!by_offset_.emplace(synset.offset, synsets_.size()).second)
      lines.fail("the offset '" + synset.offset + "' is there twice");
    synsets_.push_back(std::move(synset));
  }
}

std::size_t WordnetData::find(const std::string& offset, const Synset& below) const {
  const auto at = by_offset_.find(offset);
  if (at == by_offset_.end())
    throw IoError(file_ + ": the hypernym '" + offset + "' of '" + below.word + '.' + below.offset +
                  "' is not in the file");
  return at->second;
}

std::vector<std::string> synset_names(const std::filesystem::path& directory, PartOfSpeech part,
                                      const WordnetData& data) {
  // which synsets have a lemma as their first word
  std::unordered_map<std::string, std::vector<std::size_t>> first_word;
  for (std::size_t i = 0; i < data.synsets().size(); ++i)
    first_word[lower_case(data.synsets()[i].word)].push_back(i);
  std::vector<std::string> names(data.synsets().size());
  TextLines lines(directory / file_of("index", part));
  std::string_view line;
  while (lines.next(line)) {
    if (is_licence(line)) continue;
    const IndexEntry entry = parse_entry(lines, line);
    const auto named = first_word.find(entry.lemma);
    if (named == first_word.end()) continue;
    for (const std::size_t i : named->second) {
      const auto at =
          std::find(entry.offsets.begin(), entry.offsets.end(), data.synsets()[i].offset);
      if (at == entry.offsets.end()) continue;
      const auto sense = std::size_t(at - entry.offsets.begin()) + 1;
      names[i] = entry.lemma + '.' + char(part) + '.' + sense_text(sense);
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty())
      throw IoError(lines.name() + ": '" + data.synsets()[i].word + "' has no sense at " +
                    data.synsets()[i].offset + ", where " + data.file() + " has one");
  return names;
}

}  // namespace mct::embed
