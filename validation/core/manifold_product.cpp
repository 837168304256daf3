// The suite's operations of a product of manifolds: the ball beside the half-space, of different
// radius and weight.
#include <algorithm>
#include <cstddef>

#include "validation/core/geometry_formulas.hpp"

namespace mct::validation {
namespace {

constexpr double second_weight = 0.75;

BigVector beside(BigVector a, const BigVector& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The error of dist, logmap or ptransp, in so many units: of the distance, of each part's vector.
double product_error(GeometryOperation operation, const PointType& numbers, double units,
                     ProductCall call, Random& random) {
  const auto cases = [&](geometry::Model model, double radius) {
    return GeometryCases(geometry_space(model, numbers), radius, unsigned(random.bits()));
  };
  const double radius = std::ldexp(double(random.below(1 << 24)), -24);
  GeometryCases first = cases(geometry::Model::ball, 1 + radius);
  GeometryCases second = cases(geometry::Model::half_space, 2 - radius);
  BigPlace a = first.points(int(random.below(1000)));
  BigPlace b = second.points(int(random.below(1000)));
  a.u = first.tangent(a.x, first.uniform(0.01, 4));
  b.u = second.tangent(b.x, second.uniform(0.01, 4));
  BigPlace both;
  both.x = beside(a.x, b.x);
  both.y = beside(a.y, b.y);
  both.u = beside(a.u, b.u);
  const BigVector z = call(operation, first.number(), second.number(), second_weight, both);
  const ManifoldOracle ball(Model::ball, first.radius());
  const ManifoldOracle half(Model::half_space, second.radius());
  const auto off = [&](std::size_t from, const BigVector& exact) {
    const auto begin = z.begin() + std::ptrdiff_t(from);
    const BigVector part(begin, begin + std::ptrdiff_t(exact.size()));
    return share_of_bound(numbers, norm(part - exact), units, norm(exact));
  };
  switch (operation) {
    case GeometryOperation::dist:
      return off(0, {norm({ball.dist(a.x, a.y), Big(second_weight) * half.dist(b.x, b.y)})});
    case GeometryOperation::logmap:
      return std::max(off(0, ball.logmap(a.x, a.y)), off(3, half.logmap(b.x, b.y)));
    default:
      return std::max(off(0, ball.ptransp(a.x, a.y, a.u)), off(3, half.ptransp(b.x, b.y, b.u)));
  }
}

}  // namespace

std::unique_ptr<Task> manifold_product_task(GeometryOperation operation, const std::string& type,
                                            const PointType& numbers, ProductCall call) {
  const std::string name = "product_" + geometry_operation_name(operation);
  const double units = numbers.bound(3) + 4;
  const bool is_dist = operation == GeometryOperation::dist;
  const OperationResult facts =
      geometry_result(numbers, name, type, {units, is_dist ? "dist" : "|z| of each part"});
  return std::make_unique<ErrorTask>(
      type, name, ErrorTask::Facts{numbers.limbs, numbers.precision, facts.bound_text, 0.002, 3000},
      [=](Random& random) { return product_error(operation, numbers, units, call, random); });
}

}  // namespace mct::validation
