// Products through integers, compiled once per instruction set.
#include "src/linalg/kernels/byte_tiles.hpp"
#include "src/linalg/kernels/registry.hpp"
#include "src/linalg/kernels/residue_cut.hpp"
#include "src/linalg/kernels/residue_range.hpp"
#include "src/linalg/kernels/residue_reconstruct.hpp"
#include "src/linalg/kernels/residue_sums.hpp"

namespace mct::linalg_detail::MCT_KERNELS {

const ResidueTable& residue_table() {
  static constexpr ResidueTable table = {
      {&kernels::widen_ranges<1>, &kernels::widen_ranges<2>, &kernels::widen_ranges<3>},
      {&kernels::residue_kernel<1>, &kernels::residue_kernel<2>, &kernels::residue_kernel<3>},
      kernels::word_sums(),
      kernels::register_tile<kernels::PairLanes>(),
      kernels::register_tile<kernels::ByteLanes>(),
      kernels::byte_tile<kernels::AmxTiles>("AMX-INT8"),
      kernels::byte_tile<kernels::ModelTiles>("model of AMX-INT8")};
  return table;
}

}  // namespace mct::linalg_detail::MCT_KERNELS
