// Lists whose elements are in the order in which they were first seen.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace mct::validation {

/// The first element of which `is_it` is true; `otherwise` is put at the end if there is none.
template <class T, class IsIt>
T& found_or_added(std::vector<T>& list, const IsIt& is_it, T otherwise) {
  const auto found = std::find_if(list.begin(), list.end(), is_it);
  return found != list.end() ? *found : list.emplace_back(std::move(otherwise));
}

/// The place of a value, which is put at the end if it is new.
template <class T>
int place_in(std::vector<T>& list, const T& value) {
  const T& there = found_or_added(
      list, [&](const T& x) { return x == value; }, value);
  return int(&there - list.data());
}

}  // namespace mct::validation
