// Which units for products of integers this processor has.
#pragma once

#include <vector>

#include "src/linalg/kernels/residue_table.hpp"

namespace mct::linalg_detail {

/// The kernels of the instruction set that is used.
const ResidueTable& active_residue_table();

/// All tiles that run here, of the instruction set in use: the fastest first, what is only for
/// tests last.
std::vector<const ResidueTile*> residue_tiles();

/// The first of them.
const ResidueTile& best_residue_tile();

}  // namespace mct::linalg_detail
