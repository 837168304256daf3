// Whole numbers of any size as components of doubles, as tilings in an embedding have them.
#pragma once

#include <cstddef>

#include "mctensor/geometry/tiling/integer.hpp"

namespace mct::embed {

/// The sum of `count` components, `apart` from each other.
geometry::Integer whole_from(const double* components, int count, std::ptrdiff_t apart);
/// Writes its components; false if so many do not hold it.
bool put_whole(geometry::Integer x, double* components, int count, std::ptrdiff_t apart);

}  // namespace mct::embed
