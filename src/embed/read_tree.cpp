// Trees from files: edge lists and WordNet.
#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>

#include "mctensor/base/input_file.hpp"
#include "mctensor/embed/tree.hpp"
#include "mctensor/error.hpp"

namespace mct::embed {
namespace {

/// A text file, line by line, and the messages about its lines.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path) : file_(path), text_(file_.content()) {}

  bool next(std::string_view& line) {
    if (place_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', place_), text_.size());
    line = std::string_view(text_).substr(place_, end - place_);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    place_ = end + 1;
    ++number_;
    return true;
  }
  std::size_t number() const { return number_; }

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw IoError(file_.name() + ", line " + std::to_string(line) + ": " + what);
  }
  [[noreturn]] void fail(const std::string& what) const { fail(number_, what); }
  const std::string& name() const { return file_.name(); }

 private:
  InputFile file_;
  std::string text_;
  std::size_t place_ = 0;
  std::size_t number_ = 0;
};

std::vector<std::string_view> words_of(std::string_view line, std::string_view separators) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0;;) {
    at = line.find_first_not_of(separators, at);
    if (at == std::string_view::npos) return words;
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
}

/// At most the first 40 characters, for a message.
std::string shortened(std::string_view text) {
  return "'" + std::string(text.substr(0, 40)) + (text.size() > 40 ? "...'" : "'");
}

Tree checked_tree(const Lines& lines,
                  const std::vector<std::pair<std::string, std::string>>& nodes) {
  try {
    return Tree::from_parents(nodes);
  } catch (const DomainError& error) {
    throw IoError(lines.name() + ": no tree: " + error.what());
  }
}

/// One synset of data.noun.
struct Synset {
  std::string name;
  std::string offset;
  std::string hypernym;  // offset of the first one; "" if it has none
};

/// The fields of a line of data.noun, one by one.
class Fields {
 public:
  Fields(const Lines& lines, std::string_view line)
      : lines_(lines), words_(words_of(line.substr(0, line.find('|')), " ")) {}

  std::string_view next(const char* what) {
    if (at_ == words_.size()) lines_.fail(std::string("the line ends before the ") + what);
    return words_[at_++];
  }
  int number(const char* what, int base) {
    const std::string_view word = next(what);
    int value = 0;
    const auto r = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (r.ec != std::errc() || r.ptr != word.data() + word.size() || value < 0)
      lines_.fail(std::string("the ") + what + " is " + shortened(word) + ", not a number");
    return value;
  }

 private:
  const Lines& lines_;
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
};

/// offset file type word_count (word id)... pointer_count (symbol offset part source_target)...
Synset parse_synset(const Lines& lines, std::string_view line) {
  Fields fields(lines, line);
  Synset synset;
  synset.offset = fields.next("offset");
  fields.next("number of the lexicographer file");
  if (const auto type = fields.next("type"); type != "n")
    lines.fail("a synset of type " + shortened(type) + ", not a noun 'n'");
  const int words = fields.number("number of words", 16);
  for (int i = 0; i < words; ++i) {
    const auto word = fields.next("word");
    if (i == 0) synset.name = std::string(word) + '.' + synset.offset;
    fields.next("number of the word's sense");
  }
  const int pointers = fields.number("number of pointers", 10);
  for (int i = 0; i < pointers; ++i) {
    const auto symbol = fields.next("symbol of a pointer");
    const auto target = fields.next("target of a pointer");
    fields.next("part of speech of a pointer");
    fields.next("source and target of a pointer");
    if (symbol == "@" && synset.hypernym.empty()) synset.hypernym = target;
  }
  return synset;
}

}  // namespace

Tree read_edge_list(const std::filesystem::path& path) {
  Lines lines(path);
  struct Node {
    std::string parent;
    std::size_t line = 0;  // where it is a child
  };
  std::vector<std::string> order;
  std::unordered_map<std::string, Node> nodes;
  const auto enter = [&](std::string_view name) -> Node& {
    const auto [at, fresh] = nodes.try_emplace(std::string(name));
    if (fresh) order.emplace_back(name);
    return at->second;
  };
  std::string_view line;
  while (lines.next(line)) {
    const auto words = words_of(line.substr(0, line.find('#')), " \t,\r");
    if (words.empty()) continue;
    if (words.size() != 2)
      lines.fail("'parent child' expected, found " + std::to_string(words.size()) + " words in " +
                 shortened(line));
    enter(words[0]);
    Node& child = enter(words[1]);
    if (child.line != 0)
      lines.fail("the node " + shortened(words[1]) + " has a parent already, '" + child.parent +
                 "' in line " + std::to_string(child.line));
    child.parent = words[0];
    child.line = lines.number();
  }
  if (order.empty()) throw IoError(lines.name() + ": no edges");
  std::vector<std::pair<std::string, std::string>> list;
  list.reserve(order.size());
  for (const std::string& name : order) list.emplace_back(name, nodes[name].parent);
  return checked_tree(lines, list);
}

Tree read_wordnet_nouns(const std::filesystem::path& directory) {
  Lines lines(directory / "data.noun");
  std::vector<Synset> synsets;
  std::unordered_map<std::string, std::size_t> by_offset;
  std::string_view line;
  while (lines.next(line)) {
    if (line.substr(0, 2) == "  ") continue;  // the licence
    Synset synset = parse_synset(lines, line);
    if (!by_offset.emplace(synset.offset, synsets.size()).second)
      lines.fail("the offset '" + synset.offset + "' is there twice");
    synsets.push_back(std::move(synset));
  }
  std::vector<std::vector<std::size_t>> below(synsets.size());
  std::vector<std::pair<std::string, std::string>> list;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < synsets.size(); ++i) {
    const Synset& synset = synsets[i];
    if (synset.hypernym.empty()) {
      if (synset.name.rfind("entity.", 0) == 0) {
        list.emplace_back(synset.name, "");
        open.push_back(i);
      }
      continue;
    }
    const auto at = by_offset.find(synset.hypernym);
    if (at == by_offset.end())
      throw IoError(lines.name() + ": the hypernym '" + synset.hypernym + "' of '" + synset.name +
                    "' is not in the file");
    below[at->second].push_back(i);
  }
  // what hangs on an instance is not reached from the root
  for (std::size_t next = 0; next < open.size(); ++next) {
    for (const std::size_t i : below[open[next]]) {
      list.emplace_back(synsets[i].name, synsets[open[next]].name);
      open.push_back(i);
    }
  }
  return checked_tree(lines, list);
}

}  // namespace mct::embed
