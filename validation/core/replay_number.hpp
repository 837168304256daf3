// The words of a replay line that are numbers of a case.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>

#include "mctensor/error.hpp"

namespace mct::validation {

/// A seed, block or case. Throws DomainError naming the word unless it is such a number.
inline std::uint64_t replay_number(const std::string& word) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size())
    throw DomainError("replay: '" + word + "' is not a number of a case");
  return number;
}

}  // namespace mct::validation
