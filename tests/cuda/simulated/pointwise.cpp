// Operations of manifolds on the simulated device, of the dimensions some.
#include "cuda/geometry/point_program.hpp"
#include "cuda/geometry/start_pointwise.hpp"
#include "tests/cuda/simulator/device.hpp"

namespace mct::cuda {

template <>
void start_pointwise(const PointwiseLaunch<double, 1>& of, const Stream& stream) {
  pointwise_detail::start_among(of, stream, std::integer_sequence<int, 2, 10>());
}

MCT_SIMULATE_PROGRAM(PointProgram)

}  // namespace mct::cuda
