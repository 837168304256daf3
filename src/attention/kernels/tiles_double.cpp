// Tiles of double.
#include "src/attention/kernels/score_kernels.hpp"

namespace mct::attention_detail::MCT_KERNELS {

template <>
const TileTable<double>& tile_table<double>() {
  static constexpr TileTable<double> table = kernels::make_tile_table<double>();
  return table;
}
template <>
const ScoreTable<double>& score_table<double>(attention::Score score) {
  return kernels::score_table_of<double>(score);
}

}  // namespace mct::attention_detail::MCT_KERNELS
