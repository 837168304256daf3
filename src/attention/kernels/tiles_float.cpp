// Tiles of float.
#include "src/attention/kernels/score_kernels.hpp"

namespace mct::attention_detail::MCT_KERNELS {

template <>
const TileTable<float>& tile_table<float>() {
  static constexpr TileTable<float> table = kernels::make_tile_table<float>();
  return table;
}
template <>
const ScoreTable<float>& score_table<float>(attention::Score score) {
  return kernels::score_table_of<float>(score);
}

}  // namespace mct::attention_detail::MCT_KERNELS
