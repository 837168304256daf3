#include "validation/core/geometry_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mct::validation {

std::string geometry_operation_name(GeometryOperation operation) {
  constexpr const char* names[] = {"dist",          "expmap",        "logmap",    "ptransp",
                                   "geodesic",      "retr",          "proju",     "mobius_add",
                                   "dist_gradient", "to_half_space", "to_lorentz"};
  return names[int(operation)];
}

OperationResult geometry_result(const PointType& points, const std::string& name,
                                const std::string& type, const StatedBound& bound) {
  OperationResult result;
  result.operation = name;
  result.type = type;
  result.components = points.limbs;
  result.precision = points.precision;
  result.bound = 1;
  result.bound_text = fmt::format("1 = {:.3g} u^{} {}", bound.units, points.limbs, bound.text);
  return result;
}

namespace {

BigVector magnitudes(BigVector x) {
  for (auto& c : x) c = abs(c);
  return x;
}
/// The Möbius sum as printed, with K.
BigVector sum_of(const Big& radius, const BigVector& x, const BigVector& y) {
  const Big k2 = radius * radius;
  const Big xy = dot(x, y) / k2;
  const Big x2 = dot(x, x) / k2;
  const Big y2 = dot(y, y) / k2;
  const Big divisor = Big(1) + Big(2) * xy + x2 * y2;
  return x * ((Big(1) + Big(2) * xy + y2) / divisor) + y * ((Big(1) - x2) / divisor);
}

}  // namespace

std::vector<BigVector> operands_of(GeometryOperation operation, const BigPlace& place) {
  switch (operation) {
    case GeometryOperation::to_half_space:
    case GeometryOperation::to_lorentz:
      return {place.x};
    case GeometryOperation::expmap:
    case GeometryOperation::retr:
    case GeometryOperation::proju:
      return {place.x, place.u};
    case GeometryOperation::ptransp:
      return {place.x, place.y, place.u};
    case GeometryOperation::geodesic:
      return {{place.t}, place.x, place.y};
    default:
      return {place.x, place.y};
  }
}

GeometryTask::GeometryTask(GeometryOperation operation, const GeometryModel& model,
                           const std::string& type, const GeometrySpace& space, GeometryCall call)
    : NumberedTask(type, std::string(model.name) + '_' + geometry_operation_name(operation)),
      operation_(operation),
      registered_(model.registered),
      space_(space),
      call_(call),
      bound_(stated_bound()),
      hash_(hash64(type + name())) {}

GeometryCases GeometryTask::cases_of(const Case& c) const {
  const std::uint64_t batch = c.number / cases_together();
  const std::uint64_t h = hash_of(hash_, c), shared = hash_of(hash_, {c.seed, c.block, ~batch});
  // the least and the largest radius come first
  const double radius =
      GeometryCases::radius(space_, int((batch + 9) % 1000000), 1 + double(shared >> 40) * 0x1p-24);
  return GeometryCases(space_, radius, unsigned(h ^ h >> 32));
}

BigPlace GeometryTask::place_of(const Case& c, GeometryCases& cases) const {
  const int i = int(c.number % 1000000);
  const bool line = is_on_a_line(c);
  using enum GeometryOperation;
  // 3072 bits hold what textbook formulas of vectors leave of e^4r in the half-space
  const bool vectors = operation_ == logmap || operation_ == ptransp || operation_ == dist_gradient;
  const double most = vectors && space_.model == Model::half_space ? 400 : HUGE_VAL;
  BigPlace place = line ? cases.on_a_line(i / 4, most) : cases.points(i);
  if (operation_ == expmap && !line) place.u = cases.vector(place.x, i);
  // its square is a number: sinh s = s
  if (operation_ == retr && !line)
    place.u = cases.tangent(place.x, std::exp(cases.uniform(-20, 9)));
  if (operation_ == retr && line) {
    const BigVector longer = stretched(cases.radius(), place.x, place.u);
    if (!longer.empty()) place.u = space_.type.rounded_point(longer);
  }
  if (operation_ == proju) place.u = ambient(cases, place.x, i);
  if (operation_ == geodesic)
    place.t = is_beyond(c) ? cases.time_beyond(place, line, i / 8) : cases.time(i / 5);
  // vectors that are still normal numbers at the other end
  if (operation_ == ptransp) place.u = cases.tangent(place.x, cases.uniform(0.01, 4));
  return place;
}

std::vector<Outcome> GeometryTask::check(const Case& first, std::uint64_t count) const {
  std::vector<BigPlace> places;
  for (Case c = first; places.size() < count; ++c.number) {
    GeometryCases cases = cases_of(c);
    places.push_back(place_of(c, cases));
  }
  const GeometryCases shared = cases_of(first);
  const auto results = call_(operation_, registered_, shared.number(), places);
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < places.size(); ++i)
    outcomes.push_back(compare(shared.radius(), places[i], results[i]));
  return outcomes;
}

BigVector GeometryTask::ambient(GeometryCases& cases, const BigVector& x, int i) const {
  BigVector u = cases.tangent(x, 1);
  if (i % 2 == 0)
    for (Big& c : u) c = space_.type.rounded(Big(cases.uniform(-1, 1)));
  return u;
}

OperationResult GeometryTask::describe() const {
  return geometry_result(space_.type, name(), type(), bound_);
}

std::size_t GeometryTask::category_of(const Case& c) const {
  const std::uint64_t i = c.number;
  if (is_on_a_line(c)) return 2;
  if (i % 5 == 1 || (space_.chart == Model::sphere && i % 5 == 3)) return 2;
  if (i % 5 == 2) return 1;
  if (i % 6 == 4) return 6;
  return i % 6 == 2 || i % 6 == 3 ? 5 : 0;
}

bool GeometryTask::is_conditioned() const {
  using enum GeometryOperation;
  return operation_ == expmap || operation_ == retr || operation_ == geodesic ||
         operation_ == mobius_add;
}

StatedBound GeometryTask::stated_bound() const {
  using enum GeometryOperation;
  const bool narrow = !space_.type.is_double;
  const int n = space_.n;
  const double units = space_.type.bound(n);
  if (space_.chart == Model::euclidean) {
    if (operation_ == geodesic) return {units, "(|z| + t |dz/dt|)"};
    if (operation_ == dist) return {narrow ? units : n / 2.0 + 4, "dist"};
    if (operation_ == ptransp) return {0, "|u|"};
    if (operation_ == dist_gradient) return {units, "|z|"};
    return {narrow ? units : space_.type.add, "|z_i|"};
  }
  const bool sphere = space_.chart == Model::sphere;
  switch (operation_) {
    case dist:
      return {units, sphere ? "(dist + off)" : "dist"};
    case geodesic:
      if (space_.model == Model::half_space) return {units, "(|z_i| + t |dz_i/dt|)"};
      return {units, sphere ? "(|z| + t |dz/dt| + off t / sin t)" : "(|z| + t |dz/dt|)"};
    case proju:
      return {units, "(|z| + |v| (1 + u (x_0/K)^2))"};
    case retr:
    case expmap:
      if (space_.model == Model::half_space) return {units, "(|z_i| + condition number)"};
      return {units, "(|z| + condition number)"};
    case mobius_add:
      return {units, "(|z| + condition number)"};
    case logmap:
      if (space_.chart == Model::klein) return {units, "|z| K / sqrt(G_x)"};
      if (space_.chart == Model::lorentz) return {units, "max(|z|, dist x_0 / K)"};
      return {units, sphere ? "(|z| + off t / sin t)" : "|z|"};
    case dist_gradient:
      if (space_.chart == Model::lorentz)
        return {units,
                narrow ? "(|z| + 2 u^(M-N) y_0 / (K sinh d))" : "(|z| + u^(M-N) y_0 / (K sinh d))"};
      return {units, "|z|"};
    case ptransp:
      if (space_.chart == Model::lorentz) return {units, "|u| (x_0 + y_0) / K"};
      if (space_.chart == Model::klein) return {units, "|u| (K / sqrt(G_x) + K / sqrt(G_y))"};
      return {units, sphere ? "|u| (1 + off / |x + y|)" : "|u|"};
    default:
      return {2 * units, "|z|"};
  }
}

BigVector GeometryTask::stretched(const Big& radius, const BigVector& x, const BigVector& u) const {
  const ManifoldOracle oracle(space_.model, radius);
  const Big s = oracle.norm_at(x, u) / oracle.radius();
  const int emax = space_.type.emax;
  if (s.is_zero() || s > Big(0.68 * emax)) return {};
  const BigVector longer = u * (sinh(s) / s);
  return norm(longer) < Big(space_.type.max / 16) ? longer : BigVector();
}

Outcome GeometryTask::compare(const Big& radius, const BigPlace& place,
                              const BigVector& result) const {
  const ManifoldOracle oracle(space_.model, radius);
  const Truth c = truth(oracle, place);
  const Big size = norm(c.exact);
  Outcome outcome;
  outcome.exponent = magnitude_of(size.get()).exponent - 1;
  // results beyond the largest number are infinite, and there is nothing to measure; but a step on
  // the hyperboloid ends at a point
  const Big largest = space_.type.largest();
  if (c.skipped || (c.reference.size() == 1 && size > largest)) {
    const bool is_step = operation_ == GeometryOperation::expmap ||
                         operation_ == GeometryOperation::retr ||
                         operation_ == GeometryOperation::geodesic;
    if (space_.chart == Model::lorentz && is_step && !(norm(result) < Big(HUGE_VAL)))
      outcome.problem = "a point is expected";
    return outcome;
  }
  const BigVector difference = result - c.exact;
  const Big slack =
      is_conditioned()
          ? BoundReference(space_.chart, oracle, c.exact, c.exact).kept_inside(space_.type, c.exact)
          : Big(0);
  for (std::size_t i = 0; i < c.reference.size(); ++i) {
    if (abs(c.exact[i]) > largest) continue;
    Big error = c.reference.size() > 1 ? abs(difference[i]) : norm(difference);
    if (operation_ == GeometryOperation::ptransp) error = oracle.norm_at(place.y, difference);
    outcome.error = std::max(
        outcome.error, share_of_bound(space_.type, error, bound_.units, c.reference[i] + slack));
  }
  if (!(outcome.error <= 1)) outcome.problem = "bound exceeded";
  return outcome;
}

template <class F>
GeometryTask::Truth GeometryTask::conditioned(const std::vector<BigVector>& in, const F& f) const {
  Truth c;
  c.exact = f(in);
  if (space_.chart == Model::euclidean) {
    c.reference = magnitudes(c.exact);
  } else if (space_.model == Model::half_space) {
    c.reference = magnitudes(c.exact) + condition(in, f);
  } else {
    Big condition_number = norm(condition(in, f));
    if (space_.chart == Model::lorentz) {
      const Big rounding = norm(rounding_condition(in, space_.type.bits(), f));
      if (!(rounding <= condition_number)) condition_number = rounding;
    }
    c.reference = {norm(c.exact) + condition_number};
    // the bound allows a result beyond the range: it is infinite there, or not even a number
    c.skipped = !(Big(bound_.units) * space_.type.unit() * c.reference[0] <= space_.type.largest());
  }
  return c;
}

GeometryTask::Truth GeometryTask::truth(const ManifoldOracle& oracle, const BigPlace& place) const {
  const auto& [x, y, z, u, v, t] = place;
  const BoundReference reference(space_.chart, oracle, x, y);
  Truth c;
  switch (operation_) {
    case GeometryOperation::dist:
      c.exact = {oracle.dist(x, y)};
      c.reference = {reference.dist(c.exact[0])};
      break;
    case GeometryOperation::logmap:
      c.exact = oracle.logmap(x, y);
      c.skipped = reference.opposite();
      c.reference = {reference.logmap(c.exact)};
      if (space_.chart == Model::euclidean) c.reference = magnitudes(c.exact);
      break;
    case GeometryOperation::dist_gradient:
      c.exact = oracle.dist_gradient(x, y);
      c.reference = {reference.gradient(space_.type, c.exact)};
      break;
    case GeometryOperation::expmap:
      c = conditioned(
          {x, u}, [&](const std::vector<BigVector>& in) { return oracle.expmap(in[0], in[1]); });
      break;
    case GeometryOperation::retr:
      c = conditioned({x, u}, [&](const std::vector<BigVector>& in) {
        const Big s = oracle.norm_at(in[0], in[1]) / oracle.radius();
        return oracle.expmap(in[0], s.is_zero() ? in[1] : in[1] * (asinh(s) / s));
      });
      break;
    case GeometryOperation::geodesic:
      // an end is that end itself, also where its last coordinate does not fit the others
      c.exact = norm(x - y).is_zero() || double(t) == 0 ? x
                : double(t) == 1                        ? y
                                                        : oracle.geodesic(t, x, y);
      c.skipped = reference.opposite();
      if (!c.skipped) {
        BigVector pace = geodesic_pace(oracle, t, x, y);
        if (t < Big(0) || t > Big(1))
          pace =
              magnitudes(pace) + condition({x, y}, [&, &at = t](const std::vector<BigVector>& in) {
                return oracle.geodesic(at, in[0], in[1]);
              });
        c.reference = space_.model == Model::half_space
                          ? magnitudes(c.exact) + magnitudes(pace)
                          : BigVector{norm(c.exact) + norm(pace) + reference.geodesic_off()};
      }
      break;
    case GeometryOperation::proju:
      c.exact = oracle.proju(x, u);
      c.reference = {reference.proju(u, c.exact)};
      c.skipped = c.reference[0] > space_.type.largest();
      break;
    case GeometryOperation::ptransp:
      c.exact = oracle.ptransp(x, y, u);
      c.reference = {reference.ptransp(u)};
      c.skipped = reference.opposite() || c.reference[0] > space_.type.largest();
      break;
    case GeometryOperation::mobius_add:
      c = conditioned({x, y}, [&](const std::vector<BigVector>& in) {
        return sum_of(oracle.radius(), in[0], in[1]);
      });
      break;
    case GeometryOperation::to_half_space:
      c = converted(Model::half_space, oracle.radius(), x);
      break;
    case GeometryOperation::to_lorentz:
      c = converted(Model::lorentz, oracle.radius(), x);
      break;
  }
  return c;
}

GeometryTask::Truth GeometryTask::converted(Model to, const Big& radius, const BigVector& x) const {
  const ManifoldOracle from(space_.chart, radius);
  Truth c;
  c.exact = ManifoldOracle(to, radius).from_space(from.to_space(x));
  c.reference = {norm(c.exact)};
  return c;
}

}  // namespace mct::validation
