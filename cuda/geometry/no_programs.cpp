// The start functions of a library that was built without CUDA: they throw DeviceError.
#include "cuda/geometry/point_program.hpp"
#include "cuda/geometry/pointwise_launch.hpp"

namespace mct::cuda {

template <class T, int N>
void start_pointwise(const PointwiseLaunch<T, N>&, const Stream&) {
  refuse_launch();
}
template void start_pointwise(const PointwiseLaunch<double, 1>&, const Stream&);

template <>
void launch(const PointProgram&, const Grid&, void*) {
  refuse_launch();
}

}  // namespace mct::cuda
