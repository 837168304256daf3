// Options whose values have names.
#pragma once

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <string>

#include "mctensor/base/names.hpp"

namespace mct::cli {

/// For an option of an enumeration: takes the names, which live as long as the program, and nothing
/// else. (CLI::Transformer lets any number through, and a number that no enumerator has is one.)
template <class E, std::size_t count>
CLI::Validator one_of(const Names<E, count>& names) {
  const std::string list = fmt::format("{{{}}}", names.list(","));
  return CLI::Validator(
      [&names, list](std::string& text) {
        const auto found = names.find(text);
        if (!found) return text + " not in " + list;
        text = std::to_string(int(*found));
        return std::string();
      },
      list);
}

}  // namespace mct::cli
