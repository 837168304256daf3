// Cones after a table of functions: for common dimensions with points of fixed size.
#include "src/embed/cone_relation.hpp"

#include <cmath>
#include <optional>

#include "mctensor/geometry/cones/moved_light.hpp"
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
  using M = std::remove_cvref_t<decltype(std::declval<const Cones&>().manifold())>;

 public:
  Relation(const Cones& cones, const ConeSystem& system)
      : cones_(cones), dimensions_(system.dimensions) {
    if (system.light.empty()) return;
    P place = zero();
    for (std::size_t i = 0; i < system.light.size(); ++i) place[int(i)] = system.light[i];
    light_.emplace(cones.manifold(), place);
  }

  bool contains(const double* u, const double* v) const override {
    return geometry::contains(cones_, seen(load(u)), seen(load(v)));
  }
  double distance(const double* u, const double* v, double gamma, double* by_u,
                  double* by_v) const override {
    const P from = load(u), other = load(v);
    const P at = seen(from), to = seen(other);
    const auto g = cone_distance_gradient(cones_, at, to, gamma);
    store(pulled_back(from, g.by_u / cones_.manifold().lambda_x(at)), by_u);
    store(pulled_back(other, g.by_v / cones_.manifold().lambda_x(to)), by_v);
    return g.value;
  }
  bool is_point(const double* x) const override {
    for (int i = 0; i < dimensions_; ++i)
      if (!std::isfinite(x[i])) return false;
    return cones_.manifold().check_point(load(x), 64);
  }
  void project(double* x, double nearest) const override {
    const P point = cones_.manifold().projx(load(x));
    const P in_light = seen(point);
    P out = cones_.projx(in_light);
    double square = 0;
    for (int i = 0; i < dimensions_; ++i) square += out[i] * out[i];
    if (square < nearest * nearest) out = out * (nearest / std::sqrt(square));
    if (light_) out = same(out, in_light) ? point : back_from(out);
    store(out, x);
  }
  void to_light(const double* x, double* y) const override { store(seen(load(x)), y); }
  void from_light(const double* y, double* x) const override {
    store(light_ ? light_->unseen(load(y)) : load(y), x);
  }

 private:
  P seen(const P& x) const { return light_ ? light_->seen(x) : x; }
  P pulled_back(const P& x, const P& g) const { return light_ ? light_->pulled_back(x, g) : g; }
  /// The point that is seen as y, which lies at the edge of the light or of the model: rounding
  /// must not lead it back.
  P back_from(P y) const {
    if constexpr (geometry::detail::is_half_space_v<M>) y[dimensions_ - 1] *= 1 - 1e-9;
    return cones_.manifold().projx(light_->unseen(y));
  }
  bool same(const P& x, const P& y) const {
    for (int i = 0; i < dimensions_; ++i)
      if (x[i] != y[i]) return false;
    return true;
  }
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
  std::optional<geometry::MovedLight<M, n>> light_;
};

template <class Cones>
std::unique_ptr<ConeRelation> relation(const Cones& cones, const ConeSystem& system) {
  switch (system.dimensions) {
    case 2:
      return std::make_unique<Relation<Cones, 2>>(cones, system);
    case 5:
      return std::make_unique<Relation<Cones, 5>>(cones, system);
    default:
      return std::make_unique<Relation<Cones, geometry::dynamic>>(cones, system);
  }
}

}  // namespace

/// A point of the ground at the distance s from the middle sees (0, 1) at the height 1 / (1 + s^2).
ConeSystem seen_by_light(ConeSystem system) {
  double square = 0;
  for (const double x : system.light) square += x * x;
  system.light.clear();
  if (system.kind == ConeKind::penumbral && system.storage == PointStorage::half_space)
    system.size /= 1 + square;
  return system;
}

std::unique_ptr<ConeRelation> make_cone_relation(const ConeSystem& system) {
  system.check();
  const double size = seen_by_light(system).size;
  if (system.storage == PointStorage::half_space) {
    const HalfSpace<double> half(system.radius);
    if (system.kind == ConeKind::umbral) return relation(UmbralCones(half, size), system);
    return relation(PenumbralCones(half, size), system);
  }
  const PoincareBall<double> ball(system.radius);
  if (system.kind == ConeKind::umbral) return relation(UmbralCones(ball, size), system);
  if (system.kind == ConeKind::penumbral) return relation(PenumbralCones(ball, size), system);
  return relation(geometry::entailment_cones(ball, size), system);
}

}  // namespace mct::embed
