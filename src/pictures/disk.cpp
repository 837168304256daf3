#include "mctensor/pictures/disk.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "mctensor/error.hpp"
#include "mctensor/expansion/arithmetic.hpp"

namespace mct::embed {
namespace {

/// The planes of the one factor.
class PlanePoints {
 public:
  explicit PlanePoints(const HalfSpacePoints& points) {
    if (points.factors.size() != 1)
      throw DomainError("picture: points of a product of " + std::to_string(points.factors.size()) +
                        " spaces cannot be drawn; a picture has one plane");
    planes_ = points.factors[0].contiguous();
    if (planes_.dim() != 3 || planes_.size(0) < 1)
      throw ShapeError("picture: points of shape " + to_string(planes_.shape()) +
                       ", expected [components, rows, 2] with a component");
    if (planes_.size(2) != 2)
      throw DomainError("picture: points of " + std::to_string(planes_.size(2)) +
                        " dimensions cannot be drawn; a picture has 2");
    data_ = planes_.data();
    components_ = planes_.size(0);
    rows_ = planes_.size(1);
  }

  std::int64_t size() const { return rows_; }
  std::int64_t components() const { return components_; }
  double x(std::int64_t k, std::int64_t row) const { return data_[2 * (k * rows_ + row)]; }
  double height(std::int64_t row) const { return data_[2 * row + 1]; }

  /// x of a row minus x of another.
  double difference(std::int64_t row, std::int64_t other) const {
    Expansion<double, 4> sum(0.0);
    for (std::int64_t k = 0; k < components_; ++k) sum = sum + x(k, row) - x(k, other);
    return double(sum);
  }

 private:
  Tensor<double> planes_;  // without gaps, as data_ is read
  const double* data_;
  std::int64_t components_, rows_;
};

}  // namespace

HalfPlanePoints half_plane_points(const HalfSpacePoints& points, std::int32_t centre) {
  const PlanePoints plane(points);
  if (centre < 0 || centre >= plane.size())
    throw DomainError("picture: centre " + std::to_string(centre) + " is not a node; there are " +
                      std::to_string(plane.size()) + " nodes, counted from 0");
  HalfPlanePoints result;
  for (std::int64_t i = 0; i < plane.size(); ++i) {
    result.x.push_back(plane.difference(i, centre) / plane.height(centre));
    result.height.push_back(plane.height(i) / plane.height(centre));
  }
  return result;
}

DiskPoints disk_points(const HalfSpacePoints& points, std::int32_t centre) {
  const HalfPlanePoints plane = half_plane_points(points, centre);
  const std::size_t count = plane.size();
  DiskPoints disk{std::vector<double>(count), std::vector<double>(count),
                  std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const double u = plane.x[i];
    const double v = plane.height[i];
    const double largest = std::max({1.0, std::fabs(u), v});
    if (!(largest <= 1e300)) {  // practically the half-plane's point at infinity
      disk.y[i] = 1;
      continue;
    }
    // i (z - i) / (z + i) of z = u + i v, by s to keep squares finite
    const double s = 1 / largest;
    const double us = u * s;
    const double vs = v * s;
    const double d = us * us + (vs + s) * (vs + s);
    disk.x[i] = 2 * us * s / d;
    disk.y[i] = (us * us + (vs - s) * (vs + s)) / d;
    disk.gap[i] = 4 * vs * s / d;
  }
  return disk;
}

}  // namespace mct::embed
