// Options whose values have names.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <map>
#include <string>
#include <vector>

namespace mct::cli {

/// For an option of an enumeration: takes the names and nothing else. (CLI::Transformer lets any
/// number through, and a number that no enumerator has is one.)
template <class E>
CLI::Validator one_of(const std::map<std::string, E>& values) {
  std::vector<std::string> names;
  names.reserve(values.size());
  for (const auto& [name, value] : values) names.push_back(name);
  const std::string list = fmt::format("{{{}}}", fmt::join(names, ","));
  return CLI::Validator(
      [values, list](std::string& text) {
        const auto found = values.find(text);
        if (found == values.end()) return text + " not in " + list;
        text = std::to_string(int(found->second));
        return std::string();
      },
      list);
}

}  // namespace mct::cli
