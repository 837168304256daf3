#include "mctensor/geometry/tensors/points.hpp"

#include "mctensor/error.hpp"

namespace mct::geometry::tensor_detail {
namespace {

ShapeError wrong_number(const char* name, const Shape& points, const std::string& expected) {
  return ShapeError(std::string(name) + ": points of shape " + to_string(points) + " have " +
                    std::to_string(points.back()) + " coordinates, not " + expected);
}

}  // namespace

Shape leading_shape(const char* name, const Shape& points) {
  if (points.empty() || points.back() == 0)
    throw ShapeError(std::string(name) + ": the last dimension holds coordinates, the shape is " +
                     to_string(points));
  return mct::leading_shape(points);
}

Shape broadcast_leading(const char* name, const std::vector<Shape>& leading) {
  Shape all;
  for (const Shape& shape : leading) {
    try {
      all = broadcast_shapes(all, shape);
    } catch (const ShapeError& error) {
      throw ShapeError(std::string(name) + ": leading dimensions: " + error.what());
    }
  }
  return all;
}

void require_same_coordinates(const char* name, const std::vector<Shape>& points) {
  std::string shapes;
  bool same = true;
  for (const Shape& shape : points) {
    shapes += (shapes.empty() ? "" : ", ") + to_string(shape);
    same = same && shape.back() == points[0].back();
  }
  if (!same)
    throw ShapeError(std::string(name) + ": points of shapes " + shapes +
                     " differ in their number of coordinates");
}

void require_least_coordinates(const char* name, const Shape& points, std::int64_t least) {
  if (points.back() < least) throw wrong_number(name, points, std::to_string(least) + " or more");
}

void require_exact_coordinates(const char* name, const Shape& points, std::int64_t coordinates) {
  if (points.back() != coordinates) throw wrong_number(name, points, std::to_string(coordinates));
}

}  // namespace mct::geometry::tensor_detail
