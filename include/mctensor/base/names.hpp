// The names of an enumeration's values in files, options and messages.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "mctensor/error.hpp"

namespace mct {

/// A list of values and their names. A value has one name at most.
template <class E, std::size_t count>
struct Names {
  struct Item {
    E value;
    std::string_view name;
  };
  Item all[count];

  constexpr const Item* begin() const { return all; }
  constexpr const Item* end() const { return all + count; }

  /// The name of a value; an empty text if the value has no name.
  constexpr std::string_view of(E value) const {
    for (const Item& item : all)
      if (item.value == value) return item.name;
    return {};
  }
  std::optional<E> find(std::string_view name) const {
    for (const Item& item : all)
      if (item.name == name) return item.value;
    return {};
  }
  /// The value that has this name. If no value has it, throws DomainError "WHAT 'name'; there are
  /// a, b, c".
  E value(const std::string& what, std::string_view name) const {
    if (const auto found = find(name)) return *found;
    throw DomainError(what + " '" + std::string(name) + "'; there are " + list());
  }
  /// "a, b, c"
  std::string list(std::string_view separator = ", ") const {
    std::string text;
    for (const Item& item : all) text.append(text.empty() ? "" : separator).append(item.name);
    return text;
  }
};

}  // namespace mct
