// Tiles of two doubles: what the others are compared with.
#include "src/attention/kernels/score_kernels.hpp"

namespace mct::attention_detail::MCT_KERNELS {

template <>
const TileTable<f64x2>& tile_table<f64x2>() {
  static constexpr TileTable<f64x2> table = kernels::make_tile_table<f64x2>();
  return table;
}
template <>
const ScoreTable<f64x2>& score_table<f64x2>(attention::Score score) {
  return kernels::score_table_of<f64x2>(score);
}

}  // namespace mct::attention_detail::MCT_KERNELS
