// What was meant by a word that there is not.
#pragma once

#include <cstddef>
#include <string_view>

namespace mct::cli {

/// How many letters must be put in, taken out or changed (Levenshtein).
std::size_t edits_between(std::string_view a, std::string_view b);

}  // namespace mct::cli
