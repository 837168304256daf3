#include "cuda/geometry/half_space_rows.hpp"

#include <cmath>
#include <string>

#include "cuda/device/run.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/device_geometry.hpp"
#include "src/device/launches.hpp"

namespace mct::cuda {
namespace {

/// Throws unless both operands have the same shape [rows, n] and the same device.
template <int M, int N>
void require_rows(const char* name, const DeviceTensor<double, M>& points,
                  const DeviceTensor<double, N>& other) {
  if (points.dim() != 2 || points.size(1) < 2 || other.shape() != points.shape())
    throw ShapeError(std::string(name) + " on a device: operands of shapes " +
                     to_string(points.shape()) + " and " + to_string(other.shape()) +
                     ", expected [rows, n] with n >= 2");
  require_same_device(name, "operands", points, other);
}

}  // namespace

template <int M>
DeviceTensor<double> half_space_dist(const DeviceTensor<double, M>& p,
                                     const DeviceTensor<double, M>& q, double radius) {
  require_rows("half_space_dist", p, q);
  if (!(radius > 0) || !std::isfinite(radius))
    throw DomainError("half_space_dist: radius " + number_text(radius) +
                      " is not a positive number");
  const Stream& stream = p.stream();
  auto out = DeviceTensor<double>::uninitialized({p.size(0)}, stream);
  const Ordered ordered(stream, q);
  using Program = HalfSpaceRowDist<M>;
  run(Program{const_planes(p), const_planes(q), p.size(0), int(p.size(1)), radius, out.data()},
      blocks_for(p.size(0), Program::threads), stream);
  return out;
}

template <int M>
void half_space_expmap_(geometry::PointStorage storage, const DeviceTensor<double, M>& points,
                        const DeviceTensor<double>& frame) {
  require_rows("half_space_expmap_", points, frame);
  const Stream& stream = points.stream();
  const Ordered ordered(stream, frame);
  using Program = HalfSpaceRowExpmap<M>;
  run(Program{planes(points), frame.data(), points.size(0), int(points.size(1)),
              geometry::halfspace_rows::has_long_height("half_space_expmap_", storage)},
      blocks_for(points.size(0), Program::threads), stream);
}

#define MCT_INSTANTIATE(M)                                                                 \
  template DeviceTensor<double> half_space_dist(const DeviceTensor<double, M>&,            \
                                                const DeviceTensor<double, M>&, double);   \
  template void half_space_expmap_(geometry::PointStorage, const DeviceTensor<double, M>&, \
                                   const DeviceTensor<double>&);
MCT_INSTANTIATE(1)
MCT_INSTANTIATE(2)
MCT_INSTANTIATE(3)
MCT_INSTANTIATE(4)
#undef MCT_INSTANTIATE

}  // namespace mct::cuda
