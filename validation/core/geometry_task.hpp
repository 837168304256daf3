// The suite's geometric operations: points, vectors and distances against textbook formulas in 3072
// bits.
#pragma once

#include <string>
#include <vector>

#include "validation/core/geometry_check.hpp"
#include "validation/core/manifold_product_task.hpp"
#include "validation/core/recording_task.hpp"

namespace mct::validation {

/// An operation of a model on points of V. Errors are measured in units of its stated bound.
template <template <class> class M, class V>
class GeometryTask final : public GeometryCheck {
  using Space = Cases<M, V>;
  using Info = ModelInfo<M>;
  static constexpr int n = Space::n;
  static constexpr bool is_stereographic = std::is_same_v<M<V>, HyperbolicStereographic<V>>;
  static constexpr bool is_hyperbolic =
      !is_stereographic && Info::chart != Model::euclidean && Info::chart != Model::sphere;

 public:
  GeometryTask(GeometryOperation operation, const std::string& model, const std::string& type)
      : GeometryCheck(operation, model, type,
                      {Info::model, Info::chart, is_stereographic, n, point_type<V>}) {}

 protected:
  std::vector<Outcome> check(const Case& c) const override {
    const std::uint64_t h = hash_of(c);
    const int i = int(c.number % 1000000);
    Space space(Space::radius(i, 1 + double(h >> 40) * 0x1p-24), unsigned(h ^ h >> 32));
    const bool line = is_on_a_line(c);
    using enum GeometryOperation;
    // 3072 bits hold what textbook formulas of vectors leave of e^4r in the half-space
    const bool vectors = operation_ == logmap || operation_ == GeometryOperation::ptransp ||
                         operation_ == dist_gradient;
    const double most = vectors && Info::model == Model::half_space ? 400 : HUGE_VAL;
    Place<V, n> place = line ? space.on_a_line(i / 4, most) : space.points(i);
    if (operation_ == expmap && !line) place.u = space.vector(place.x, i);
    // its square is a number: sinh s = s
    if (operation_ == retr && !line)
      place.u = space.tangent(place.x, std::exp(space.uniform(-20, 9)));
    if (operation_ == retr && line) {
      const BigVector longer =
          stretched(Big(space.manifold.radius()), big_vector(place.x), big_vector(place.u));
      if (!longer.empty()) place.u = point_from_big<V, n>(longer);
    }
    if (operation_ == proju) place.u = ambient(space, place.x, i);
    if (operation_ == geodesic)
      place.t = is_beyond(c) ? space.time_beyond(place, line, i / 8) : space.time(i / 5);
    // vectors that are still normal numbers at the other end
    if (operation_ == GeometryOperation::ptransp)
      place.u = space.tangent(place.x, space.uniform(0.01, 4));
    return {compare(Big(space.manifold.radius()),
                    {big_vector(place.x), big_vector(place.y), big_vector(place.u), Big(place.t)},
                    result_of(space.manifold, place))};
  }
  int width_of_bins() const override { return bin_width<Limb<V>>; }

 private:
  /// Any vector, or one that is tangent but for the rounding of its coordinates.
  static geometry::Point<V, n> ambient(Space& space, const geometry::Point<V, n>& x, int i) {
    geometry::Point<V, n> u = space.tangent(x, 1);
    if (i % 2 == 0)
      for (int j = 0; j < n; ++j) u[j] = V(Limb<V>(space.uniform(-1, 1)));
    return u;
  }
  BigVector result_of(const M<V>& m, const Place<V, n>& p) const {
    using enum GeometryOperation;
    switch (operation_) {
      case dist:
        return {Big(m.dist(p.x, p.y))};
      case logmap:
        return big_vector(m.logmap(p.x, p.y));
      case expmap:
        return big_vector(m.expmap(p.x, p.u));
      case retr:
        return big_vector(m.retr(p.x, p.u));
      case geodesic:
        return big_vector(m.geodesic(p.t, p.x, p.y));
      case proju:
        return big_vector(m.proju(p.x, p.u));
      case ptransp:
        return big_vector(m.ptransp(p.x, p.y, p.u));
      case dist_gradient:
        if constexpr (requires { m.dist_gradient(p.x, p.y); })
          return big_vector(m.dist_gradient(p.x, p.y));
        break;
      case GeometryOperation::mobius_add:
        if constexpr (std::is_same_v<M<V>, geometry::PoincareBall<V>>)
          return big_vector(m.mobius_add(p.x, p.y));
        break;
      case to_half_space:
      case to_lorentz:
        if constexpr (is_hyperbolic)
          return operation_ == to_lorentz ? big_vector(convert<geometry::Lorentz>(m, p.x))
                                          : big_vector(convert<geometry::HalfSpace>(m, p.x));
        break;
    }
    throw DomainError(name() + ": the model has no such operation");
  }
};

/// The operations of a model: every one has a distance, the maps, transport and geodesics.
template <template <class> class M, class V>
void add_model(TaskList& list, const std::string& model, const std::string& type,
               std::initializer_list<GeometryOperation> others = {}) {
  using enum GeometryOperation;
  for (const auto operation : {dist, expmap, logmap, ptransp, geodesic})
    list.push_back(std::make_unique<GeometryTask<M, V>>(operation, model, type));
  for (const auto operation : others)
    list.push_back(std::make_unique<GeometryTask<M, V>>(operation, model, type));
}

template <class V>
void add_geometry_of_type(TaskList& list, const std::string& type) {
  using enum GeometryOperation;
  add_model<geometry::PoincareBall, V>(
      list, "ball", type, {retr, mobius_add, dist_gradient, to_half_space, to_lorentz});
  add_model<geometry::HalfSpace, V>(list, "half_space", type, {retr, dist_gradient, to_lorentz});
  add_model<geometry::Lorentz, V>(list, "lorentz", type,
                                  {retr, proju, dist_gradient, to_half_space});
  add_model<geometry::Klein, V>(list, "klein", type, {retr, to_half_space, to_lorentz});
  add_model<geometry::Hemisphere, V>(list, "hemisphere", type, {to_half_space, to_lorentz});
  add_model<geometry::Sphere, V>(list, "sphere", type);
  add_model<geometry::Euclidean, V>(list, "euclidean", type, {dist_gradient});
  add_model<HyperbolicStereographic, V>(list, "stereographic", type, {dist_gradient});
  for (const auto operation : {dist, logmap, ptransp})
    list.push_back(std::make_unique<ManifoldProductTask<V>>(operation, type));
}

}  // namespace mct::validation
