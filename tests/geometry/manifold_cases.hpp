// The suite's points and vectors (validation/core/geometry_cases.hpp) as points of a model and a
// number type.
#pragma once

#include "validation/core/geometry_bounds.hpp"

namespace mct::validation {

template <geometry::Model number>
struct InfoOf {
  static constexpr GeometrySpace space = geometry_space(number, {});
  static constexpr Model model = space.model, chart = space.chart;
  static constexpr int extra = space.n - space.dimension;
  template <class V>
  static GeometrySpace of(int dimension) {
    return geometry_space(number, point_type<V>, dimension);
  }
  template <class V>
  static double farthest() {
    return validation::farthest(chart, point_type<V>);
  }
};
/// What tests must know of a model: its oracle, that of its coordinates, and how many more of these
/// it has than dimensions.
template <template <class> class M>
struct ModelInfo;
#define MCT_INFO(model, Class, name) \
  template <>                        \
  struct ModelInfo<geometry::Class> : InfoOf<geometry::Model::model> {};
MCT_FOR_EACH_MODEL(MCT_INFO)
#undef MCT_INFO

/// A place, as points of V.
template <class V, int n>
struct Place {
  geometry::Point<V, n> x, y, z, u, v;
};

/// Such cases as points of V, with the manifold that they are in.
template <template <class> class M, class V, int dimension = 3>
class Cases {
 public:
  static constexpr int n = dimension + ModelInfo<M>::extra;
  using P = geometry::Point<V, n>;
  using Info = ModelInfo<M>;

  explicit Cases(double radius, unsigned seed = 1)
      : manifold(V(radius)), cases_(Info::template of<V>(dimension), radius, seed) {}

  Place<V, n> make(int i) { return rounded(cases_.make(i)); }
  Place<V, n> points(int i) { return rounded(cases_.points(i)); }
  P vector(const P& x, int i) { return point_from_big<V, n>(cases_.vector(big_vector(x), i)); }
  P tangent(const P& x, double length) {
    return point_from_big<V, n>(cases_.tangent(big_vector(x), length));
  }
  P point(double distance) { return point_from_big<V, n>(cases_.point(distance)); }
  V time(int i) { return from_big<V>(cases_.time(i)); }
  double uniform(double low, double high) { return cases_.uniform(low, high); }

  M<V> manifold;

 private:
  static Place<V, n> rounded(const BigPlace& p) {
    const auto point = [](const BigVector& x) { return x.empty() ? P() : point_from_big<V, n>(x); };
    return {point(p.x), point(p.y), point(p.z), point(p.u), point(p.v)};
  }

  GeometryCases cases_;
};

}  // namespace mct::validation
