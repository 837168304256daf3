// The suite's geometric operations: points, vectors and distances against textbook formulas in 3072
// bits.
#pragma once

#include <string>
#include <vector>

#include "validation/core/geometry_bounds.hpp"
#include "validation/core/manifold_product_task.hpp"
#include "validation/core/recording_task.hpp"

namespace mct::validation {

/// An operation of a model on points of V. Errors are measured in units of its stated bound.
template <template <class> class M, class V>
class GeometryTask final : public NumberedTask {
  using Space = Cases<M, V>;
  using Info = ModelInfo<M>;
  static constexpr int n = Space::n;
  static constexpr bool is_flat = Info::chart == Model::euclidean || Info::chart == Model::sphere;

 public:
  GeometryTask(GeometryOperation operation, const std::string& model, const std::string& type)
      : NumberedTask(type, model + '_' + geometry_operation_name(operation)),
        operation_(operation),
        bound_(stated_bound<M, V>(operation)),
        hash_(hash64(type + model + geometry_operation_name(operation))) {}

  OperationResult describe() const override { return geometry_result<V>(name(), type(), bound_); }

  double weight() const override { return is_conditioned() ? 0.001 : 0.002; }
  std::uint64_t most_cases() const override { return 3000; }

 protected:
  std::vector<Outcome> check(const Case& c) const override {
    const std::uint64_t h =
        hash_ ^ ((c.seed * 0x9E3779B97F4A7C15u + c.block) * 0xD1B54A32D192ED03u + c.number);
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
    if (operation_ == retr && line) place.u = stretched(space.manifold, place);
    if (operation_ == proju) place.u = ambient(space, place.x, i);
    if (operation_ == geodesic)
      place.t = is_beyond(c) ? space.time_beyond(place, line, i / 8) : space.time(i / 5);
    // vectors that are still normal numbers at the other end
    if (operation_ == GeometryOperation::ptransp)
      place.u = space.tangent(place.x, space.uniform(0.01, 4));
    return {compare(space.manifold, place)};
  }
  /// See Cases::make.
  std::size_t category_of(const Case& c) const override {
    const std::uint64_t i = c.number;
    if (is_on_a_line(c)) return 2;
    if (i % 5 == 1 || (Info::chart == Model::sphere && i % 5 == 3)) return 2;
    if (i % 5 == 2) return 1;
    if (i % 6 == 4) return 6;
    return i % 6 == 2 || i % 6 == 3 ? 5 : 0;
  }
  int width_of_bins() const override { return bin_width<Limb<V>>; }

 private:
  bool is_conditioned() const {
    using enum GeometryOperation;
    return operation_ == expmap || operation_ == retr || operation_ == geodesic ||
           operation_ == mobius_add;
  }
  /// Whether the place of a case is on_a_line, and whether the time of a geodesic is beyond its
  /// ends: every second of each kind of place.
  static bool is_on_a_line(const Case& c) { return !is_flat && c.number % 4 == 3; }
  static bool is_beyond(const Case& c) { return !is_flat && c.number / 4 % 2 == 1; }
  /// The vector whose retraction is where p.u leads, or p.u where that is too long.
  static geometry::Point<V, n> stretched(const M<V>& m, const Place<V, n>& p) {
    const ManifoldOracle oracle(Info::model, Big(m.radius()));
    const BigVector u = big_vector(p.u);
    const Big s = oracle.norm_at(big_vector(p.x), u) / oracle.radius();
    if (s.is_zero() || s > Big(0.68 * FloatTraits<Limb<V>>::emax)) return p.u;
    const BigVector longer = u * (sinh(s) / s);
    const bool fits = norm(longer) < Big(double(FloatTraits<Limb<V>>::max) / 16);
    return fits ? point_from_big<V, n>(longer) : p.u;
  }
  /// Any vector, or one that is tangent but for the rounding of its coordinates.
  static geometry::Point<V, n> ambient(Space& space, const geometry::Point<V, n>& x, int i) {
    geometry::Point<V, n> u = space.tangent(x, 1);
    if (i % 2 == 0)
      for (int j = 0; j < n; ++j) u[j] = V(Limb<V>(space.uniform(-1, 1)));
    return u;
  }
  /// The result, what it should be, and the magnitudes that the bound is stated for: one for each
  /// coordinate, or one for the vector.
  struct Comparison {
    BigVector result, exact, reference;
    bool skipped = false;
  };

  Outcome compare(const M<V>& m, const Place<V, n>& p) const {
    const ManifoldOracle oracle(Info::model, Big(m.radius()));
    const Comparison c = compute(m, oracle, p);
    const Big size = norm(c.exact);
    Outcome outcome;
    outcome.exponent = magnitude_of(size.get()).exponent - 1;
    // results beyond the largest number are infinite, and there is nothing to measure
    const Big largest(double(FloatTraits<Limb<V>>::max) / 1e6);
    if (c.skipped || (c.reference.size() == 1 && size > largest)) return outcome;
    const BigVector difference = c.result - c.exact;
    const Big slack =
        is_conditioned()
            ? BoundReference(Info::chart, oracle, c.exact, c.exact).template kept_inside<V>(c.exact)
            : Big(0);
    for (std::size_t i = 0; i < c.reference.size(); ++i) {
      if (abs(c.exact[i]) > largest) continue;
      Big error = c.reference.size() > 1 ? abs(difference[i]) : norm(difference);
      if (operation_ == GeometryOperation::ptransp)
        error = oracle.norm_at(big_vector(p.y), difference);
      outcome.error =
          std::max(outcome.error, share_of_bound<V>(error, bound_.units, c.reference[i] + slack));
    }
    if (!(outcome.error <= 1)) outcome.problem = "bound exceeded";
    return outcome;
  }
  Comparison compute(const M<V>& m, const ManifoldOracle& oracle, const Place<V, n>& p) const {
    const BigVector x = big_vector(p.x);
    const BigVector y = big_vector(p.y);
    const BigVector u = big_vector(p.u);
    const BoundReference reference(Info::chart, oracle, x, y);
    Comparison c;
    switch (operation_) {
      case GeometryOperation::dist:
        c.result = {Big(m.dist(p.x, p.y))};
        c.exact = {oracle.dist(x, y)};
        c.reference = {reference.dist(c.exact[0])};
        break;
      case GeometryOperation::logmap:
        c.result = big_vector(m.logmap(p.x, p.y));
        c.exact = oracle.logmap(x, y);
        c.skipped = reference.opposite();
        c.reference = {reference.logmap(c.exact)};
        if (Info::chart == Model::euclidean) c.reference = magnitudes(c.exact);
        break;
      case GeometryOperation::dist_gradient:
        if constexpr (requires { m.dist_gradient(p.x, p.y); }) {
          c.result = big_vector(m.dist_gradient(p.x, p.y));
          c.exact = oracle.dist_gradient(x, y);
          c.reference = {reference.template gradient<V>(c.exact)};
        }
        break;
      case GeometryOperation::expmap:
        c = conditioned(
            {x, u}, big_vector(m.expmap(p.x, p.u)),
            [&](const std::vector<BigVector>& in) { return oracle.expmap(in[0], in[1]); });
        break;
      case GeometryOperation::retr:
        c = conditioned({x, u}, big_vector(m.retr(p.x, p.u)),
                        [&](const std::vector<BigVector>& in) {
                          const Big s = oracle.norm_at(in[0], in[1]) / oracle.radius();
                          return oracle.expmap(in[0], s.is_zero() ? in[1] : in[1] * (asinh(s) / s));
                        });
        break;
      case GeometryOperation::geodesic:
        c.result = big_vector(m.geodesic(p.t, p.x, p.y));
        // an end is that end itself, also where its last coordinate does not fit the others
        c.exact = norm(x - y).is_zero() || double(p.t) == 0 ? x
                  : double(p.t) == 1                        ? y
                                                            : oracle.geodesic(Big(p.t), x, y);
        c.skipped = reference.opposite();
        if (!c.skipped) {
          BigVector pace = geodesic_pace(oracle, Big(p.t), x, y);
          if (Big(p.t) < Big(0) || Big(p.t) > Big(1))
            pace = magnitudes(pace) + condition({x, y}, [&](const std::vector<BigVector>& in) {
                     return oracle.geodesic(Big(p.t), in[0], in[1]);
                   });
          c.reference = Info::model == Model::half_space
                            ? magnitudes(c.exact) + magnitudes(pace)
                            : BigVector{norm(c.exact) + norm(pace) + reference.geodesic_off()};
        }
        break;
      case GeometryOperation::proju:
        c.result = big_vector(m.proju(p.x, p.u));
        c.exact = oracle.proju(x, u);
        c.reference = {reference.proju(u, c.exact)};
        c.skipped = c.reference[0] > Big(double(FloatTraits<Limb<V>>::max) / 1e6);
        break;
      case GeometryOperation::ptransp:
        c.result = big_vector(m.ptransp(p.x, p.y, p.u));
        c.exact = oracle.ptransp(x, y, u);
        c.reference = {reference.ptransp(u)};
        c.skipped =
            reference.opposite() || c.reference[0] > Big(double(FloatTraits<Limb<V>>::max) / 1e6);
        break;
      case GeometryOperation::mobius_add:
        if constexpr (std::is_same_v<M<V>, geometry::PoincareBall<V>>)
          c = conditioned({x, y}, big_vector(mobius_add(m, p.x, p.y)),
                          [&](const std::vector<BigVector>& in) {
                            return sum_of(oracle.radius(), in[0], in[1]);
                          });
        break;
      case GeometryOperation::to_half_space:
      case GeometryOperation::to_lorentz:
        if constexpr (!is_flat && !std::is_same_v<M<V>, HyperbolicStereographic<V>>)
          c = operation_ == GeometryOperation::to_lorentz ? converted<geometry::Lorentz>(m, p.x)
                                                          : converted<geometry::HalfSpace>(m, p.x);
        break;
    }
    return c;
  }

  static BigVector magnitudes(BigVector x) {
    for (auto& c : x) c = abs(c);
    return x;
  }
  template <class F>
  Comparison conditioned(const std::vector<BigVector>& in, const BigVector& result,
                         const F& f) const {
    Comparison c;
    c.result = result;
    c.exact = f(in);
    if (Info::chart == Model::euclidean) {
      c.reference = magnitudes(c.exact);
    } else if (Info::model == Model::half_space) {
      c.reference = magnitudes(c.exact) + condition(in, f);
    } else {
      c.reference = {norm(c.exact) + norm(condition(in, f))};
    }
    return c;
  }
  template <template <class> class To>
  static Comparison converted(const M<V>& m, const geometry::Point<V, n>& x) {
    const ManifoldOracle from(Info::chart, Big(m.radius()));
    Comparison c;
    c.result = big_vector(convert<To>(m, x));
    c.exact = ManifoldOracle(ModelInfo<To>::chart, from.radius())
                  .from_space(from.to_space(big_vector(x)));
    c.reference = {norm(c.exact)};
    return c;
  }
  /// The Möbius sum as printed, with K.
  static BigVector sum_of(const Big& radius, const BigVector& x, const BigVector& y) {
    const Big k2 = radius * radius;
    const Big xy = dot(x, y) / k2;
    const Big x2 = dot(x, x) / k2;
    const Big y2 = dot(y, y) / k2;
    const Big divisor = Big(1) + Big(2) * xy + x2 * y2;
    return x * ((Big(1) + Big(2) * xy + y2) / divisor) + y * ((Big(1) - x2) / divisor);
  }

  GeometryOperation operation_;
  StatedBound bound_;
  std::uint64_t hash_;  // every operation has its own cases
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
