#include "apps/mct/spelling.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace mct::cli {

std::size_t edits_between(std::string_view a, std::string_view b) {
  // rows of the table of beginnings: for the letters so far, for one less and for two less
  std::vector<std::size_t> row(b.size() + 1), above, far_above;
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    far_above = std::exchange(above, row);
    row[0] = i + 1;
    for (std::size_t k = 0; k < b.size(); ++k) {
      row[k + 1] = std::min({above[k] + (a[i] == b[k] ? 0 : 1), row[k] + 1, above[k + 1] + 1});
      if (i > 0 && k > 0 && a[i] == b[k - 1] && a[i - 1] == b[k])
        row[k + 1] = std::min(row[k + 1], far_above[k - 1] + 1);
    }
  }
  return row.back();
}

std::vector<std::string_view> similar_names(std::vector<std::string_view> names,
                                            std::string_view word, std::size_t count) {
  constexpr std::size_t longest = 100;  // of a compared word
  word = word.substr(0, longest);
  struct Ranked {
    bool begins_otherwise;
    std::size_t edits;
    std::string_view name;

    auto key() const { return std::tuple(begins_otherwise, edits, name.size(), name); }
  };
  std::vector<Ranked> ranked;
  ranked.reserve(names.size());
  for (const std::string_view name : names)
    ranked.push_back({!name.starts_with(word), edits_between(word, name.substr(0, longest)), name});
  count = std::min(count, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + std::ptrdiff_t(count), ranked.end(),
                    [](const Ranked& a, const Ranked& b) { return a.key() < b.key(); });
  names.clear();
  for (std::size_t i = 0; i < count; ++i) names.push_back(ranked[i].name);
  return names;
}

}  // namespace mct::cli
