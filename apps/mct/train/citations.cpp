// Citation graphs as plain text.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>

#include "apps/mct/train/node_graph.hpp"
#include "mctensor/base/number_in.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"

namespace mct::cli::train {

namespace {

double feature_of(const TextLines& rows, std::string_view word) {
  const auto x = number_in<double>(word);
  if (!x || !std::isfinite(*x)) rows.fail(shortened(word) + " is not a finite number");
  return *x;
}

/// The nodes of NAME.content by their ids, with features and labels.
std::unordered_map<std::string, std::int64_t> read_content(const std::filesystem::path& path,
                                                           NodeGraph& graph) {
  TextLines rows(path);
  std::unordered_map<std::string, std::int64_t> nodes;
  std::map<std::string, std::int64_t> classes;
  std::vector<std::string> names;
  SparseMatrix& features = graph.features;
  std::size_t columns = 0;
  for (std::vector<std::string_view> words; rows.next_words(words);) {
    if (columns == 0) columns = words.size();
    if (words.size() != columns || columns < 3)
      rows.fail(fmt::format("{} columns, expected {}", words.size(),
                            columns < 3 ? "an id, features and a label" : std::to_string(columns)));
    if (!nodes.emplace(words.front(), std::int64_t(nodes.size())).second)
      rows.fail(shortened(words.front()) + " occurs twice");
    if (std::int64_t(features.values.size()) > most_features) rows.fail("more than 2^28 features");
    for (std::size_t i = 1; i + 1 < columns; ++i)
      if (const double x = feature_of(rows, words[i]); x != 0) features.add(std::int64_t(i) - 1, x);
    features.end_row();
    names.emplace_back(words.back());
    classes.emplace(words.back(), 0);
  }
  if (classes.size() < 2)
    throw IoError(
        fmt::format("{}: {} classes, at least 2 are wanted", rows.name(), classes.size()));
  std::int64_t count = 0;
  for (auto& [label, number] : classes) number = count++;  // in the order of their names
  graph.classes = count;
  const auto count_of_nodes = std::int64_t(names.size());
  features.columns = std::int64_t(columns) - 2;
  graph.labels = Tensor<std::int64_t>(Shape{count_of_nodes});
  for (std::size_t i = 0; i < names.size(); ++i) graph.labels.data()[i] = classes.at(names[i]);
  return nodes;
}

}  // namespace

NodeGraph read_citations(const std::filesystem::path& folder, const std::string& name) {
  NodeGraph graph;
  const auto nodes = read_content(folder / (name + ".content"), graph);
  TextLines rows(folder / (name + ".cites"));
  for (std::vector<std::string_view> words; rows.next_words(words);) {
    if (words.size() != 2) rows.fail(fmt::format("{} columns, expected 2", words.size()));
    const auto a = nodes.find(std::string(words[0]));
    const auto b = nodes.find(std::string(words[1]));
    if (a == nodes.end() || b == nodes.end()) {
      ++graph.left_out;
    } else {
      graph.edges.emplace_back(a->second, b->second);
    }
  }
  return graph;
}

}  // namespace mct::cli::train
