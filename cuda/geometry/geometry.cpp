#include <string>

#include "cuda/device/run.hpp"
#include "cuda/geometry/pointwise_launch.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/device_geometry.hpp"
#include "src/device/launches.hpp"

namespace mct::cuda::geometry_detail {

using geometry::Model;
using geometry::TensorOperation;

template <class T, int N>
DeviceTensor<T, N> run(Model model, TensorOperation operation,
                       const geometry::tensor_detail::Value<T, N>& radius,
                       const DeviceTensor<T, N>& x, const DeviceTensor<T, N>& y) {
  const char* name = geometry::described(operation).name;
  if (x.shape() != y.shape() || x.dim() < 1)
    throw ShapeError(std::string(name) + " on a device: operands of shapes " +
                     to_string(x.shape()) + " and " + to_string(y.shape()) +
                     ", expected the same (.., n)");
  const auto coordinates = int(x.size(-1));
  const int dimensions = coordinates - int(model == Model::lorentz);
  require_dimension(name, dimensions, N, PointDimensions<N>());
  require_same_device(name, "operands", x, y);
  Shape shape = x.shape();
  if (operation == TensorOperation::dist) shape.pop_back();
  const Stream& stream = x.stream();
  auto out = DeviceTensor<T, N>::uninitialized(shape, stream);
  const Ordered ordered(stream, y);
  start_pointwise<T, N>({model, operation, dimensions, radius, const_planes(x), const_planes(y),
                         planes(out), x.numel() / coordinates},
                        stream);
  return out;
}

#define MCT_INSTANTIATE(N)                                                      \
  template DeviceTensor<double, N> run(                                         \
      Model, TensorOperation, const geometry::tensor_detail::Value<double, N>&, \
      const DeviceTensor<double, N>&, const DeviceTensor<double, N>&);
MCT_INSTANTIATE(1)
MCT_INSTANTIATE(2)
MCT_INSTANTIATE(3)
#undef MCT_INSTANTIATE

}  // namespace mct::cuda::geometry_detail
