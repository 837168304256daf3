// Words that are spelled much like another.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace mct::cli {

/// How many letters must be put in, taken out, changed, or swapped with their neighbour (Damerau,
/// Levenshtein).
std::size_t edits_between(std::string_view a, std::string_view b);

/// At most `count` of the names, those first that begin with the word, then those with the fewest
/// edits; the shorter first.
std::vector<std::string_view> similar_names(std::vector<std::string_view> names,
                                            std::string_view word, std::size_t count);

}  // namespace mct::cli
