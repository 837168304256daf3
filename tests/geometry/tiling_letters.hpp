// Random words in the generators of the L-tiling.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "mctensor/geometry/tiling/ltile.hpp"

namespace mct::geometry {

inline std::vector<Generator> random_letters(std::size_t count, std::mt19937_64& random) {
  std::vector<Generator> letters;
  for (std::size_t i = 0; i < count; ++i) letters.push_back(Generator(random() % 4));
  return letters;
}

}  // namespace mct::geometry
