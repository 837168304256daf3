// The formulas of models that have no kernels in lanes, recorded.
#include "src/geometry/programs/record_formula.hpp"

namespace mct::geometry_detail {

Results record_klein(TensorOperation operation, int n, unsigned wanted, int digits) {
  return record_model<geometry::detail::KleinFormulas, geometry::Klein>(
      operation, parts_of(Model::klein, n), wanted, digits);
}
Results record_hemisphere(TensorOperation operation, int n, unsigned wanted, int digits) {
  return record_model<geometry::detail::HemisphereFormulas, geometry::Hemisphere>(
      operation, parts_of(Model::hemisphere, n), wanted, digits);
}
Results record_euclidean(TensorOperation operation, int n, unsigned wanted, int digits) {
  return record_model<geometry::detail::EuclideanFormulas, geometry::Euclidean>(
      operation, parts_of(Model::euclidean, n), wanted, digits);
}
Results record_sphere(TensorOperation operation, int n, unsigned wanted, int digits) {
  return record_model<geometry::detail::SphereFormulas, geometry::Sphere>(
      operation, parts_of(Model::sphere, n), wanted, digits);
}

}  // namespace mct::geometry_detail
