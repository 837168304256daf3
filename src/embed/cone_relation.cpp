// Cones behind a table of functions: for common dimensions with points of fixed size.
#include "src/embed/cone_relation.hpp"

#include <cmath>

#include "mctensor/geometry/cones/pair_gradient.hpp"

namespace mct::embed {
namespace {

using geometry::HalfSpace;
using geometry::PenumbralCones;
using geometry::PoincareBall;
using geometry::Point;
using geometry::UmbralCones;

template <class Cones, int n>
class Relation final : public ConeRelation {
  using P = Point<double, n>;

 public:
  Relation(const Cones& cones, int dimensions) : cones_(cones), dimensions_(dimensions) {}

  bool contains(const double* u, const double* v) const override {
    return geometry::contains(cones_, load(u), load(v));
  }
  double distance(const double* u, const double* v, double gamma, double* by_u,
                  double* by_v) const override {
    const P at = load(u), to = load(v);
    const auto g = cone_distance_gradient(cones_, at, to, gamma);
    store(g.by_u / cones_.manifold().lambda_x(at), by_u);
    store(g.by_v / cones_.manifold().lambda_x(to), by_v);
    return g.value;
  }
  bool is_point(const double* x) const override {
    for (int i = 0; i < dimensions_; ++i)
      if (!std::isfinite(x[i])) return false;
    return cones_.manifold().check_point(load(x), 64);
  }
  void project(double* x) const override { store(cones_.projx(load(x)), x); }

 private:
  P load(const double* x) const {
    P r = zero();
    for (int i = 0; i < dimensions_; ++i) r[i] = x[i];
    return r;
  }
  P zero() const {
    if constexpr (n == geometry::dynamic) {
      return P(dimensions_);
    } else {
      return P();
    }
  }
  void store(const P& from, double* to) const {
    for (int i = 0; i < dimensions_; ++i) to[i] = from[i];
  }

  Cones cones_;
  int dimensions_;
};

template <class Cones>
std::unique_ptr<ConeRelation> relation(const Cones& cones, int dimensions) {
  switch (dimensions) {
    case 2:
      return std::make_unique<Relation<Cones, 2>>(cones, dimensions);
    case 5:
      return std::make_unique<Relation<Cones, 5>>(cones, dimensions);
    default:
      return std::make_unique<Relation<Cones, geometry::dynamic>>(cones, dimensions);
  }
}

}  // namespace

std::unique_ptr<ConeRelation> make_cone_relation(const ConeSystem& system) {
  system.check();
  const int n = system.dimensions;
  if (system.storage == PointStorage::half_space) {
    const HalfSpace<double> half(system.radius);
    if (system.kind == ConeKind::umbral) return relation(UmbralCones(half, system.size), n);
    return relation(PenumbralCones(half, system.size), n);
  }
  const PoincareBall<double> ball(system.radius);
  if (system.kind == ConeKind::umbral) return relation(UmbralCones(ball, system.size), n);
  if (system.kind == ConeKind::penumbral) return relation(PenumbralCones(ball, system.size), n);
  return relation(geometry::entailment_cones(ball, system.size), n);
}

}  // namespace mct::embed
