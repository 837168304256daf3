// Options whose values have names.
#pragma once

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <string>

#include "mctensor/base/names.hpp"

namespace mct::cli {

/// A check for an option of an enumeration, which takes the names and nothing else. The names must
/// live as long as the program. (CLI::Transformer would accept any number, even if no enumerator
/// has it.)
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
