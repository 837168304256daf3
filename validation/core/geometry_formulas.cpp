// The suite's calls of single points.
#include "validation/core/geometry_formulas.hpp"

namespace mct::validation {
namespace {

/// An operation by its method, where the model has it.
#define MCT_CALL(op, ...)                                                                   \
  if constexpr (requires { geometry::op(m, __VA_ARGS__); }) {                               \
    if (operation == GeometryOperation::op) return big_value(geometry::op(m, __VA_ARGS__)); \
  }

template <class V>
BigVector big_value(const V& x) {
  return {Big(x)};
}
template <class V>
BigVector big_value(const geometry::Point<V>& x) {
  return big_vector(x);
}

template <class M>
BigVector call(GeometryOperation operation, const M& m, const BigPlace& place) {
  using V = typename M::Value;
  const auto x = point_from_big<V>(place.x), y = point_from_big<V>(place.y),
             u = point_from_big<V>(place.u);
  const V t = from_big<V>(place.t);
  MCT_CALL(dist, x, y)
  MCT_CALL(expmap, x, u)
  MCT_CALL(logmap, x, y)
  MCT_CALL(ptransp, x, y, u)
  MCT_CALL(geodesic, t, x, y)
  MCT_CALL(retr, x, u)
  MCT_CALL(proju, x, u)
  MCT_CALL(mobius_add, x, y)
  MCT_CALL(dist_gradient, x, y)
  if constexpr (requires { geometry::convert<geometry::HalfSpace>(m, x); }) {
    if (operation == GeometryOperation::to_half_space)
      return big_value(geometry::convert<geometry::HalfSpace>(m, x));
  }
  if constexpr (requires { geometry::convert<geometry::Lorentz>(m, x); }) {
    if (operation == GeometryOperation::to_lorentz)
      return big_value(geometry::convert<geometry::Lorentz>(m, x));
  }
  throw DomainError(geometry_operation_name(operation) + ": the model has no such operation");
}
#undef MCT_CALL

}  // namespace

template <template <class> class M, class V>
std::vector<BigVector> call_formula(GeometryOperation operation, const char*, const Big& number,
                                    const std::vector<BigPlace>& places) {
  const M<V> m(from_big<V>(number));
  std::vector<BigVector> results;
  results.reserve(places.size());
  for (const BigPlace& place : places) results.push_back(call(operation, m, place));
  return results;
}

template <class V>
BigVector call_product(GeometryOperation operation, const Big& first, const Big& second,
                       double weight, const BigPlace& place) {
  const int n = int(place.x.size()) / 2;
  const geometry::Product product(
      geometry::ProductPart{geometry::PoincareBall<V>(from_big<V>(first)), n},
      geometry::ProductPart{geometry::HalfSpace<V>(from_big<V>(second)), n, weight});
  const auto x = point_from_big<V>(place.x), y = point_from_big<V>(place.y);
  if (operation == GeometryOperation::dist) return big_value(product.dist(x, y));
  if (operation == GeometryOperation::logmap) return big_value(product.logmap(x, y));
  return big_value(product.ptransp(x, y, point_from_big<V>(place.u)));
}

#define MCT_INSTANTIATE(M, V)                                   \
  template std::vector<BigVector> call_formula<geometry::M, V>( \
      GeometryOperation, const char*, const Big&, const std::vector<BigPlace>&);
#define MCT_INSTANTIATE_LONG(M) MCT_INSTANTIATE(M, f64x3) MCT_INSTANTIATE(M, f64x4)
MCT_INSTANTIATE(PoincareBall, f64x4)
MCT_INSTANTIATE(HalfSpace, f64x4)
MCT_INSTANTIATE(Lorentz, f64x4)
MCT_INSTANTIATE_LONG(Klein)
MCT_INSTANTIATE_LONG(Hemisphere)
MCT_INSTANTIATE_LONG(Sphere)
MCT_INSTANTIATE_LONG(Euclidean)
MCT_INSTANTIATE_LONG(Stereographic)

#define MCT_INSTANTIATE_PRODUCT(V)                                                      \
  template BigVector call_product<V>(GeometryOperation, const Big&, const Big&, double, \
                                     const BigPlace&);
MCT_INSTANTIATE_PRODUCT(double)
MCT_INSTANTIATE_PRODUCT(f64x2)
MCT_INSTANTIATE_PRODUCT(f64x3)
MCT_INSTANTIATE_PRODUCT(f64x4)
MCT_INSTANTIATE_PRODUCT(float)
MCT_INSTANTIATE_PRODUCT(f32x2)
MCT_INSTANTIATE_PRODUCT(bf16x2)

}  // namespace mct::validation
