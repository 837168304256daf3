// Words with similar spelling.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace mct::cli {

/// How many letters must be inserted, deleted, changed, or swapped with their neighbour (Damerau,
/// Levenshtein).
std::size_t edits_between(std::string_view a, std::string_view b);

/// At most `count` of the names: first those that begin with the word, then those with the fewest
/// edits; shorter names come first.
std::vector<std::string_view> similar_names(std::vector<std::string_view> names,
                                            std::string_view word, std::size_t count);

}  // namespace mct::cli
