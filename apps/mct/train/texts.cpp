// Bags of words of texts in a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>

#include "apps/mct/train/node_graph.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"

namespace mct::cli::train {

namespace {

constexpr std::int64_t fewest_occurrences = 5;

/// The fields of a line. A field in double quotes may have commas; a quote in it is written twice.
std::vector<std::string> fields_of(const TextLines& lines, std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[i++];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  if (quoted) lines.fail("a quote that is not closed");
  return fields;
}

struct Document {
  std::string label;
  std::map<std::int64_t, double> counts;  // of words
};

/// Documents, words and the split, as they are read.
class Texts {
 public:
  explicit Texts(const std::filesystem::path& path) : lines_(path) {
    std::string_view line;
    if (!lines_.next(line)) throw IoError(lines_.name() + " is empty");
    const auto names = fields_of(lines_, line);
    const auto column = [&](const char* name) {
      return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
    };
    label_ = column("label");
    text_ = column("text");
    split_ = column("split");
    columns_ = names.size();
    if (label_ == columns_ || text_ == columns_)
      lines_.fail("no columns 'label' and 'text' in " + shortened(line));
    while (lines_.next(line))
      if (!line.empty()) add(fields_of(lines_, line));
    if (documents_.empty()) throw IoError(lines_.name() + ": no texts");
  }

  NodeGraph graph() {
    NodeGraph graph;
    const auto [columns, weights] = weighted_words();
    graph.features.columns = columns;
    std::map<std::string, std::int64_t> classes;
    for (const Document& document : documents_) classes.emplace(document.label, 0);
    std::int64_t next = 0;
    for (auto& [label, number] : classes) number = next++;
    graph.classes = next;
    if (next < 2) throw IoError(lines_.name() + ": all texts have one label");
    std::vector<std::int64_t> labels;
    labels.reserve(documents_.size());
    for (const Document& document : documents_) {
      labels.push_back(classes.at(document.label));
      for (const auto& [word, count] : document.counts)
        if (const auto& [place, weight] = weights[std::size_t(word)]; weight > 0)
          graph.features.add(place, count * weight);
      graph.features.end_row();
    }
    graph.labels = Tensor<std::int64_t>::from_values(labels);
    give_split(graph);
    return graph;
  }

 private:
  void add(const std::vector<std::string>& fields) {
    if (fields.size() != columns_)
      lines_.fail(fmt::format("{} fields, expected {}", fields.size(), columns_));
    const auto number = std::int64_t(documents_.size());
    const std::string part = split_ < columns_ ? fields[split_] : "";
    if (part == "train") {
      train_.push_back(number);
    } else if (part == "test") {
      test_.push_back(number);
    } else if (part == "validation" || part == "val" || part == "dev") {
      validation_.push_back(number);
    } else if (split_ < columns_) {
      lines_.fail(shortened(part) + " is not train, validation or test");
    }
    Document& document = documents_.emplace_back();
    document.label = fields[label_];
    if (document.label.empty()) lines_.fail("no label");
    for (const std::string_view word : words_of(fields[text_], " \t")) {
      const auto known = words_.try_emplace(std::string(word), std::int64_t(words_.size()));
      ++document.counts[known.first->second];
    }
  }

  struct Word {
    std::int64_t place = 0;
    double weight = 0;  // 0: the word is left out
  };
  std::pair<std::int64_t, std::vector<Word>> weighted_words() const {
    std::vector<double> occurrences(words_.size());
    std::vector<double> documents(words_.size());
    for (const Document& document : documents_)
      for (const auto& [word, count] : document.counts) {
        occurrences[std::size_t(word)] += count;
        ++documents[std::size_t(word)];
      }
    std::vector<Word> words(words_.size());
    std::int64_t columns = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (occurrences[i] < fewest_occurrences) continue;
      words[i].weight = std::log(double(documents_.size()) / documents[i]);
      if (words[i].weight > 0) words[i].place = columns++;
    }
    if (columns == 0)
      throw IoError(fmt::format("{}: no word occurs {} times", lines_.name(), fewest_occurrences));
    if (columns > most_features / std::int64_t(documents_.size()))
      throw IoError(lines_.name() + ": more than 2^28 features");
    return {columns, words};
  }

  /// If there is no column for the split, it is drawn later.
  void give_split(NodeGraph& graph) const {
    graph.drawn = {.validation = 0.1, .test = 0.3};
    if (split_ == columns_) return;
    std::vector<std::int64_t> train;
    std::vector<std::int64_t> validation = validation_;
    for (std::size_t i = 0; i < train_.size(); ++i)
      (validation_.empty() && i % 10 == 9 ? validation : train).push_back(train_[i]);
    if (train.empty() || validation.empty() || test_.empty())
      throw IoError(
          fmt::format("{}: {} texts for training, {} for validation, {} for the test; each part "
                      "needs at least one",
                      lines_.name(), train.size(), validation.size(), test_.size()));
    graph.train = Tensor<std::int64_t>::from_values(train);
    graph.validation = Tensor<std::int64_t>::from_values(validation);
    graph.test = Tensor<std::int64_t>::from_values(test_);
  }

  TextLines lines_;
  std::size_t label_ = 0, text_ = 0, split_ = 0, columns_ = 0;
  std::vector<Document> documents_;
  std::unordered_map<std::string, std::int64_t> words_;
  std::vector<std::int64_t> train_, validation_, test_;
};

}  // namespace

NodeGraph read_texts(const std::filesystem::path& path) {
  NodeGraph graph = Texts(path).graph();
  graph.name = path.stem().stem().string();
  return graph;
}

}  // namespace mct::cli::train
