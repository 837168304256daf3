// The kernels of training, for every storage of points.
#include "src/embed/kernels/train_kernels.hpp"

namespace mct::embed_detail::MCT_KERNELS {
namespace {

using geometry::dynamic;
using kernels::train_kernels_of;

constexpr TrainTable make_table() {
  using enum Storage;
  TrainTable table{};
  auto* of = table.kernels;
  of[int(half_space)][0] = train_kernels_of<kernels::HalfSpacePlace<1, dynamic, false>>();
  of[int(half_space)][1] = train_kernels_of<kernels::HalfSpacePlace<2, dynamic, false>>();
  return table;
}

}  // namespace

const TrainTable& train_table() {
  static constexpr TrainTable table = make_table();
  return table;
}

}  // namespace mct::embed_detail::MCT_KERNELS
