#include "src/graph/column_names.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "mctensor/base/text_lines.hpp"
#include "mctensor/graph/read_graph.hpp"

namespace mct::embed {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> neutral_pairs = {
    {{"id1", "id2"},
     {"source", "target"},
     {"from", "to"},
     {"fromnodeid", "tonodeid"},
     {"src", "dst"},
     {"head", "tail"},
     {"node1", "node2"}}};
constexpr std::array<std::string_view, 12> of_children = {
    "child", "descendant", "hyponym", "subclass", "narrower", "term",
    "taxon", "tax",        "node",    "name",     "usage",    "id"};
constexpr std::array<std::string_view, 5> of_parents = {"parent", "ancestor", "hypernym",
                                                        "superclass", "broader"};

/// In lower case, without the characters between words.
std::string plain(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == '_' || c == '-' || c == '.' || c == ' ') continue;
    plain += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  }
  return plain;
}

/// Whether it is one of the words, perhaps with "id" or "name" after it.
template <class Words>
bool is_one_of(const Words& words, std::string_view text) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    if (!text.starts_with(word)) return false;
    const std::string_view rest = text.substr(word.size());
    return rest.empty() || rest == "id" || rest == "name";
  });
}

bool is_child(std::string_view text) { return is_one_of(of_children, text); }
/// "parent" may have a word of a child after it, or two: parent_term, parentNameUsageID.
bool is_parent(std::string_view text) {
  if (is_one_of(of_parents, text)) return true;
  constexpr std::string_view parent = "parent";
  if (!text.starts_with(parent)) return false;
  std::string_view rest = text.substr(parent.size());
  constexpr std::string_view name = "name";
  return is_child(rest) || (rest.starts_with(name) && is_child(rest.substr(name.size())));
}

}  // namespace

ColumnNames column_names(std::string_view first, std::string_view second) {
  const std::string a = plain(first);
  const std::string b = plain(second);
  if (is_child(a) && is_parent(b)) return ColumnNames::child_first;
  if (is_parent(a) && is_child(b)) return ColumnNames::parent_first;
  const bool neutral =
      std::any_of(neutral_pairs.begin(), neutral_pairs.end(),
                  [&](const auto& pair) { return pair.first == a && pair.second == b; });
  return neutral ? ColumnNames::either_way : ColumnNames::none;
}

std::string problem_of_header(std::string_view first, std::string_view second, bool parent_first) {
  const auto opposite = parent_first ? ColumnNames::child_first : ColumnNames::parent_first;
  if (column_names(first, second) != opposite) return "";
  return "the header is " + shortened(first) + ", " + shortened(second) +
         ", but the lines are to be read as " +
         (parent_first ? "'parent child'" : "'child parent'") + " (parent_first, --parent-first)";
}

}  // namespace mct::embed
