// Which units for products of integers this processor has.
#pragma once

#include <string>
#include <vector>

#include "src/linalg/kernels/residue_table.hpp"

namespace mct::linalg_detail {

/// A tile that runs here: of the instruction set in use.
struct NamedTile {
  std::string name;
  const ResidueTile* tile;
};

/// All of them, the fastest first and what is only for tests last.
std::vector<NamedTile> residue_tiles();

/// The first of them.
const ResidueTile& best_residue_tile();

}  // namespace mct::linalg_detail
