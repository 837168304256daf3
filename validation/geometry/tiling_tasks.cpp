// The tilings in the suite.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/geometry/storage/convert.hpp"
#include "validation/core/recording_task.hpp"
#include "validation/geometry/figure_points.hpp"
#include "validation/geometry/tiling_truth.hpp"

namespace mct::validation {

namespace {

/// What is checked of a tiling: distances, the lengths of steps, and where a point lies after it
/// has gone to the other tiling.
enum class TilingCheck { dist, expmap, convert };

/// A point of the hyperboloid in the half-space, as a conversion has it.
std::vector<FarTruth> in_half_space(const std::array<FarTruth, 3>& x) {
  const FarTruth height = FarTruth(1) / (x[0] - x[2]);
  return {x[1] * height, height};
}
std::vector<FarTruth> in_half_space(const std::vector<FarTruth>& x) { return x; }

/// What a tiling states, the other tiling, and exact lengths of tangent vectors.
template <class Tiling>
struct TilingInfo;
template <class V>
struct TilingInfo<geometry::LTiling<V>> {
  using Value = V;
  using Other = geometry::HTiling<V, 2>;
  static constexpr int distance_units = 64, step_units = 64;
  static FarTruth length(const geometry::LTilingPoint<V>& x, const std::array<V, 2>& v) {
    const FarTruth a(x.u[0]), b(x.u[1]);
    const FarTruth c(v[0]), d(v[1]);
    const FarTruth across = a * d - b * c;
    return sqrt((c * c + d * d + across * across) / (FarTruth(1) + a * a + b * b));
  }
};
template <class V>
struct TilingInfo<geometry::HTiling<V, 2>> {
  using Value = V;
  using Other = geometry::LTiling<V>;
  static constexpr int distance_units = 24, step_units = 16;
  static FarTruth length(const geometry::HTilingPoint<V, 2>& x, const std::array<V, 2>& v) {
    const FarTruth a(v[0]), b(v[1]);
    return sqrt(a * a + b * b) / FarTruth(x.z[1]);
  }
};

/// Errors are in units of the bound.
template <class Tiling>
struct PlaneErrors {
  using Info = TilingInfo<Tiling>;
  using V = typename Info::Value;
  using Point = typename Tiling::Point;
  static constexpr int components = geometry::detail::limbs_of<V>;
  static constexpr int growth = components == 1 ? 2 : 10;
  static constexpr double unit = geometry::detail::unit_roundoff<V>();

  /// A tangent vector of about this length.
  static typename Tiling::Tangent vector(const Tiling& plane, const Point& x, double length,
                                         Random& random) {
    const PlaneVector ahead = frame_vector(1, random);
    typename Tiling::Tangent v{V(ahead[0]), V(ahead[1])};
    const V scale = V(length) / plane.norm(x, v);
    for (V& c : v) c = c * scale;
    return v;
  }
  static Point somewhere(const Tiling& plane, Random& random) {
    const Point origin = plane.origin();
    return plane.expmap(origin, vector(plane, origin, 600 * unit_interval(random), random));
  }
  /// The error of a check: of a point of the plane up to 600 from the origin, and a second one
  /// 1e-12 to 20 away from it, or anywhere.
  static double of(TilingCheck check, Random& random) {
    const Tiling plane;
    const Point x = somewhere(plane, random);
    if (check == TilingCheck::convert) {
      const auto y = convert(plane, typename Info::Other(), x);
      return double(true_distance(in_half_space(truth_of<FarTruth>(x)),
                                  in_half_space(truth_of<FarTruth>(y)))) /
             (4 * unit);
    }
    const double apart = std::pow(10, -12 + 13.3 * unit_interval(random));
    auto v = vector(plane, x, apart, random);
    // back toward the origin, to it, and through it as far again
    if (check == TilingCheck::expmap && random.one_in(4)) {
      constexpr double parts[] = {0.5, 1, 2};
      v = plane.logmap(x, plane.origin());
      const V part(parts[random.below(3)]);
      for (V& c : v) c = c * part;
    }
    const bool anywhere = check == TilingCheck::dist && random.one_in(4);
    const Point y = anywhere ? somewhere(plane, random) : plane.expmap(x, v);
    const FarTruth distance = true_distance(truth_of<FarTruth>(x), truth_of<FarTruth>(y));
    if (check == TilingCheck::expmap) {
      const FarTruth length = Info::length(x, v);
      return double(abs(distance - length)) / (Info::step_units * (1 + double(length)) * unit);
    }
    const double bound = (growth * double(distance) + Info::distance_units) * unit;
    return double(abs(FarTruth(plane.dist(x, y)) - distance)) / bound;
  }
};

template <class Tiling>
void add_checks(TaskList& list, const std::string& prefix, const std::string& type) {
  using E = PlaneErrors<Tiling>;
  using Info = TilingInfo<Tiling>;
  const auto add = [&](TilingCheck check, const char* name, std::string bound) {
    // a case costs a millisecond of MPFR
    list.push_back(std::make_unique<ErrorTask>(
        type, prefix + name,
        ErrorTask::Facts{E::components, FloatTraits<geometry::detail::limb_t<typename E::V>>::p,
                         std::move(bound), 6e-4, 300},
        [=](Random& random) { return E::of(check, random); }));
  };
  add(TilingCheck::dist, "_dist",
      fmt::format("1 = ({} d + {}) u^{}", E::growth, Info::distance_units, E::components));
  add(TilingCheck::expmap, "_expmap",
      fmt::format("1 = {} (1 + s) u^{}", Info::step_units, E::components));
  add(TilingCheck::convert, "_convert", fmt::format("1 = 4 u^{} of the place", E::components));
}
template <class V>
void add_type(TaskList& list, const std::string& type) {
  add_checks<geometry::LTiling<V>>(list, "l_tiling", type);
  add_checks<geometry::HTiling<V, 2>>(list, "h_tiling", type);
}

}  // namespace

void add_tiling_tasks(TaskList& list) {
  add_type<float>(list, "f32x1");
  add_type<double>(list, "f64x1");
  add_type<f64x2>(list, "f64x2");
}

}  // namespace mct::validation
