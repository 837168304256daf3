// The start functions of a library that was built without CUDA: they throw DeviceError.
#include "cuda/base/launch.hpp"
#include "cuda/distributed/exact_row_sums.hpp"

namespace mct::cuda {

template <>
void launch(const ExactRowSums&, const Grid&, void*) {
  refuse_launch();
}

}  // namespace mct::cuda
