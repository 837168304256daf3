#include "mctensor/geometry/device_points.hpp"

#include <algorithm>

#include "cuda/geometry/pointwise_launch.hpp"

namespace mct::cuda {

std::vector<int> compiled_point_dimensions() {
  return []<int... n>(std::integer_sequence<int, n...>) { return std::vector<int>{n...}; }
  (PointDimensions<1>());
}

void start_operation(const DevicePoints& of, const Stream& stream) {
  using geometry::Model;
  const char* const name = geometry::described(of.operation).name;
  if (int(of.model) > int(Model::lorentz))
    throw DeviceError(std::string(name) + ": there is no program for this model on a device");
  constexpr std::int64_t many = 1 << 20;  // more than any program has
  const auto dimensions =
      int(std::clamp<std::int64_t>(of.coordinates, 0, many)) - int(of.model == Model::lorentz);
  require_dimension(name, dimensions, 1, PointDimensions<1>());
  start_pointwise<double, 1>(
      {of.model, of.operation, dimensions, of.radius, {of.x, 0}, {of.y, 0}, {of.out, 0}, of.count},
      stream);
}

}  // namespace mct::cuda
