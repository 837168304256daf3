// The half-space representations in the suite.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "mctensor/geometry/storage/halfspace/bounds.hpp"
#include "validation/core/recording_task.hpp"
#include "validation/geometry/figure_points.hpp"

namespace mct::validation {

namespace {

using geometry::LogHalfSpace;
using geometry::McHalfSpace;
using geometry::XmcHalfSpace;

/// What is checked of a representation: the distance between a point and its stored form, beside
/// Theorem 3.3.4 (3.3.1 for one component), distances of stored points, and steps: inward along the
/// geodesic to the origin, to it and through it as far again, straight up and down, and sideways.
enum class HalfSpaceCheck { store, dist, expmap };

/// HalfSpaceErrors are in units of the bound.
template <class Space, class T, int M>
struct HalfSpaceErrors {
  using Model = HalfSpaceModel<Space>;
  static constexpr double u = FloatTraits<T>::u;
  /// Where the height e^-d is still a normal number.
  static constexpr double farthest = FloatTraits<T>::emax == 1024 ? 700 : 85;

  /// The error of a check, at a point up to `reach` from the origin and a second one next to it, or
  /// not.
  static double of(HalfSpaceCheck check, double reach, Random& random) {
    const double d = reach * unit_interval(random);
    const ExactPoint p = point_on(random.one_in(2) ? Way::horizontal : Way::diagonal, d, random);
    const auto kept = Model::store(p);
    const auto exact = Model::exact(kept);
    if (!exact) return INFINITY;
    if (check == HalfSpaceCheck::expmap) return error_of_step(kept, *exact, d, random);
    if (check == HalfSpaceCheck::store)
      return double(exact_distance(p, *exact)) / geometry::theorem_3_3_4(u, M, d);
    // 1e-12 to 60 apart, and sometimes anywhere; no further out than T has exponents for
    const double apart = std::pow(10, -12 + 13.8 * unit_interval(random));
    const double length = std::min(apart, farthest - d);
    const auto other = Model::store(
        random.one_in(4) ? point_on(Way::diagonal, reach * unit_interval(random), random)
                         : exact_step(*exact, exact_vector(frame_vector(length, random))));
    const auto exact_other = Model::exact(other);
    if (!exact_other) return INFINITY;
    const Big distance = exact_distance(*exact, *exact_other);
    const double found = Model::dist(kept, other);
    if (mpfr_zero_p(distance.get())) return found == 0 ? 0 : INFINITY;
    return std::fabs(double((Big(found) - distance) / distance)) / (16 * u);
  }

  /// The height relative to itself, and the way sideways to itself with the rounding of where it
  /// ends and what its product loses to underflow, less than 2^-300 of the height. One u of the
  /// factors' (12 + 4 s) u more for the products.
  static double error_of_step(const typename Model::Point& from, const ExactPoint& exact, double d,
                              Random& random) {
    const PlaneVector v = frame_of_step(from, d, random);
    const ExactPoint exact_end = exact_step(exact, exact_vector(v));
    int limbs = M;
    if constexpr (M >= 5) limbs = 1;
    const Big lowest = ldexp(Big(1), FloatTraits<T>::emin + limbs * FloatTraits<T>::p);
    if (exact_end[1] < lowest || exact_end[1] > ldexp(Big(1), FloatTraits<T>::emax - 4)) return 0;
    const auto end = Model::exact(Model::step(from, v));
    if (!end) return INFINITY;
    const Big units((13 + 4 * std::hypot(v[0], v[1])) * u);
    const Big up = abs((*end)[1] - exact_end[1]) / (units * exact_end[1]);
    const Big rounding = ldexp(abs(exact_end[0]) + abs(exact[0]), 1 - M * FloatTraits<T>::p);
    const Big off = abs((*end)[0] - exact_end[0]);
    const Big way = abs(exact_end[0] - exact[0]) + ldexp(exact_end[1], -300);
    const Big aside = off / (units * way + rounding);
    return double(up < aside ? aside : up);
  }
  static PlaneVector frame_of_step(const typename Model::Point& from, double d, Random& random) {
    const double longest = farthest - d;
    const int way = int(random.below(8));
    if (way < 4) {
      const auto inward = Space().template logmap<2>(from, Space::template origin<2>());
      const double factors[] = {0.5, 1, 2, 2 * unit_interval(random)};
      const double factor = std::min(factors[way], farthest / std::max(d, 1.0));
      return {factor * double(inward[0]), factor * double(inward[1])};
    }
    const double s = way % 2 == 0 ? longest * unit_interval(random) : unit_interval(random);
    const double sign = random.one_in(2) ? 1 : -1;
    if (way < 6) return {0, sign * s};
    return {sign * s, 0};
  }
};

/// Stored points are checked where the theorem says something: up to 20 beyond where it breaks.
template <template <class, int> class Space, class T, int M>
void add_checks(TaskList& list, const std::string& prefix) {
  const std::string type = fmt::format("{}x{}", std::is_same_v<T, double> ? "f64" : "f32", M);
  const double farthest = std::is_same_v<T, double> ? 600 : 60;
  const double digits = M * FloatTraits<T>::p * 0.693;
  const auto add = [&](HalfSpaceCheck check, const char* name, const char* bound, double reach) {
    // a case costs a millisecond of MPFR
    list.push_back(std::make_unique<ErrorTask>(
        type, prefix + name, ErrorTask::Facts{M, FloatTraits<T>::p, bound, 3e-4, 500},
        [=](Random& random) {
          return HalfSpaceErrors<Space<T, M>, T, M>::of(check, reach, random);
        }));
  };
  add(HalfSpaceCheck::store, "_store", M == 1 ? "1 = Theorem 3.3.1" : "1 = Theorem 3.3.4",
      std::min(farthest, digits + 20));
  add(HalfSpaceCheck::dist, "_dist", "1 = 16 u d(x, y)", farthest);
  add(HalfSpaceCheck::expmap, "_expmap", "1 = (13 + 4 s) u of factors", farthest);
}

}  // namespace

void add_halfspace_tasks(TaskList& list) {
  add_checks<XmcHalfSpace, double, 1>(list, "xmc_halfspace");
  add_checks<XmcHalfSpace, double, 2>(list, "xmc_halfspace");
  add_checks<XmcHalfSpace, double, 3>(list, "xmc_halfspace");
  add_checks<XmcHalfSpace, double, 4>(list, "xmc_halfspace");
  add_checks<XmcHalfSpace, double, 20>(list, "xmc_halfspace");
  add_checks<XmcHalfSpace, float, 2>(list, "xmc_halfspace");
  add_checks<McHalfSpace, double, 2>(list, "mc_halfspace");
  add_checks<McHalfSpace, double, 4>(list, "mc_halfspace");
  add_checks<LogHalfSpace, double, 2>(list, "log_halfspace");
}

}  // namespace mct::validation
