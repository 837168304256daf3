// The hierarchies of WordNet: the closure of hypernyms, and the tree of nouns.
#include "mctensor/graph/wordnet.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mctensor/base/number_in.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/tree.hpp"
#include "src/graph/checked_tree.hpp"

namespace mct::embed {
namespace {

// The database files, as wndb(5WN) describes them.

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
  /// Reads data.noun or data.verb of a directory. Throws IoError with the file, the line and the
  /// fault.
  WordnetData(const std::filesystem::path& directory, PartOfSpeech part);

  const std::vector<Synset>& synsets() const { return synsets_; }
  /// The synset with this offset. Throws IoError that names `below` if there is no such synset.
  std::size_t find(const std::string& offset, const Synset& below) const;
  /// The path in quotes.
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::vector<Synset> synsets_;
  std::unordered_map<std::string, std::size_t> by_offset_;
};

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

WordnetData::WordnetData(const std::filesystem::path& directory, PartOfSpeech part) {
  TextLines lines(directory / file_of("data", part));
  file_ = lines.name();
  std::string_view line;
  while (lines.next(line)) {
    if (is_licence(line)) continue;
    Synset synset = parse_synset(lines, line, part);
    if (!by_offset_.emplace(synset.offset, synsets_.size()).second)
      lines.fail("the offset '" + synset.offset + "' occurs twice");
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

/// NLTK's name for each synset, "dog.n.01", by the order of synsets in index.noun or index.verb.
/// Throws IoError naming the file, the line and what is wrong there, or the synset that is not in
/// the entry of its first word.
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

/// An edge from every synset to each of its hypernyms.
Graph hypernym_graph(const WordnetData& data, const std::vector<std::string>& names) {
  auto table = std::make_shared<NameTable>();
  std::vector<std::int32_t> sources;
  std::vector<std::int32_t> targets;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Synset& synset = data.synsets()[i];
    for (const auto* const above : {&synset.hypernyms, &synset.instance_hypernyms})
      for (const std::string& offset : *above) {
        sources.push_back(table->enter(names[i]).first);
        targets.push_back(table->enter(names[data.find(offset, synset)]).first);
      }
  }
  return {std::move(table), std::move(sources), std::move(targets)};
}

/// A node, all that have an edge to it, and the edges among them.
Graph below_and_itself(const Graph& closure, std::int32_t node) {
  std::vector<std::uint8_t> keep(closure.node_count(), 0);
  keep[std::size_t(node)] = 1;
  for (std::size_t i = 0; i < closure.edge_count(); ++i)
    if (closure.targets()[i] == node) keep[std::size_t(closure.sources()[i])] = 1;
  return nodes_where(closure, keep);
}

}  // namespace

Graph read_wordnet(const std::filesystem::path& directory, WordnetSubset subset) {
  const auto part = subset == WordnetSubset::verbs ? PartOfSpeech::verb : PartOfSpeech::noun;
  const WordnetData data(directory, part);
  const Graph direct = hypernym_graph(data, synset_names(directory, part, data));
  Graph closure;
  try {
    closure = transitive_closure(direct);
  } catch (const DomainError& error) {
    throw IoError(data.file() + ": " + error.what());
  }
  if (subset != WordnetSubset::mammals) return closure;
  constexpr const char* root = "mammal.n.01";
  const std::int32_t mammal = closure.find(root);
  if (mammal < 0) throw IoError(data.file() + ": no synset '" + root + "' below or above another");
  return below_and_itself(closure, mammal);
}

Tree read_wordnet_nouns(const std::filesystem::path& directory) {
  const WordnetData data(directory, PartOfSpeech::noun);
  const auto& synsets = data.synsets();
  const auto name = [&](std::size_t i) { return synsets[i].word + '.' + synsets[i].offset; };
  std::vector<std::vector<std::size_t>> below(synsets.size());
  std::vector<std::pair<std::string, std::string>> list;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < synsets.size(); ++i) {
    const Synset& synset = synsets[i];
    if (!synset.hypernyms.empty()) {
      below[data.find(synset.hypernyms.front(), synset)].push_back(i);
    } else if (synset.word == "entity") {
      list.emplace_back(name(i), "");
      open.push_back(i);
    }
  }
  // synsets below an instance are not reached from the root
  for (std::size_t next = 0; next < open.size(); ++next)
    for (const std::size_t i : below[open[next]]) {
      list.emplace_back(name(i), name(open[next]));
      open.push_back(i);
    }
  return checked_tree(data.file(), list);
}

}  // namespace mct::embed
