// The check of positions in lists.
#pragma once

#include <cstddef>
#include <string>

#include "mctensor/error.hpp"

namespace mct::base_detail {

/// Throws ShapeError unless i < count: "WHAT i is not below COUNT, the number of THINGS".
inline void require_index(const char* what, std::size_t i, std::size_t count, const char* things) {
  if (i >= count)
    throw ShapeError(std::string(what) + " " + std::to_string(i) + " is not below " +
                     std::to_string(count) + ", the number of " + things);
}

}  // namespace mct::base_detail
