// Samples of representation and rounding errors in hyperbolic models, by MPFR.
#include "validation/geometry/tiling_errors.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/tiling/htiling.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"
#include "validation/geometry/figure_points.hpp"
#include "validation/geometry/tiling_truth.hpp"

namespace mct::validation {
namespace {

using geometry::Generator;
using geometry::LTile;
using geometry::LTilingPoint;

constexpr double u = 0x1p-53;

struct Sample {
  double measured;
  double bound;
};

/// A product of generators that leads so far from the origin; next() gives numbers from 0 to 3.
template <class Next>
LTile tile_at(double distance, const Next& next) {
  LTile tile;
  const double goal = std::cosh(std::min(distance, 30.0));
  const auto bits = std::int64_t(distance / std::log(2.0)) - 1;
  while (tile.entry(0, 0).bit_length() < bits || tile.entry(0, 0).scaled<double>() < goal)
    tile = tile * LTile::of(Generator(next()));
  return tile;
}

class Sampler {
 public:
  explicit Sampler(std::uint64_t seed) : random_(seed) {}

  Sample sample(TilingError what, double distance) {
    switch (what) {
      case TilingError::lorentz_point:
        return lorentz_point(distance);
      case TilingError::ltiling_point_of_three:
        return ltiling_point_of_three();
      case TilingError::ltiling_point:
        return ltiling_point();
      case TilingError::htiling_point:
        return htiling_point();
      case TilingError::lorentz_distance:
      case TilingError::lorentz_gradient:
        return lorentz_pair(distance, what == TilingError::lorentz_gradient);
      case TilingError::ltiling_distance:
      case TilingError::ltiling_far_distance:
        return ltiling_distance(distance, what == TilingError::ltiling_far_distance);
      case TilingError::ltiling_gradient:
      default:
        return ltiling_gradient(distance);
    }
  }

  /// Relative, of points of near tiles between 1/2 and 3/2 apart.
  double ltiling_relative(double distance) {
    const LTile tile = tile_at(distance);
    while (true) {
      const LTile other = walked(tile, 2);
      const auto a = in_domain();
      const auto b = in_domain();
      const Truth truth = true_distance(lifted(a), moved(geometry::relative(tile, other), b));
      if (truth < 0.5 || truth > 1.5) continue;
      const double ours = geometry::LTiling<double>().dist(stored(tile, a), stored(other, b));
      return std::fabs(Truth((Truth(ours) - truth) / truth).convert_to<double>());
    }
  }

 private:
  Truth uniform(double low, double high) {
    std::uniform_real_distribution<double> number(low, high);
    return Truth(number(random_)) + Truth(number(random_)) * ldexp(Truth(1), -50);
  }

  static Truth3 polar(const Truth& distance, const Truth& angle) {
    const Truth s = sinh(distance);
    return {cosh(distance), s * cos(angle), s * sin(angle)};
  }
  static std::array<double, 3> rounded(const Truth3& x) {
    return {x[0].convert_to<double>(), x[1].convert_to<double>(), x[2].convert_to<double>()};
  }

  /// acosh(1 + |t|): a rounded point may lie on either side of the hyperboloid.
  static double acosh1p(const Truth& t) {
    const Truth size = abs(t);
    return Truth(2 * asinh(sqrt(Truth(size / 2)))).convert_to<double>();
  }

  /// -<x, fl(x)>_L - 1.
  static Truth excess(const Truth3& x) {
    const auto r = rounded(x);
    return x[0] * r[0] - x[1] * r[1] - x[2] * r[2] - 1;
  }

  Sample lorentz_point(double distance) {
    const Truth3 x = polar(distance, uniform(0, 6.2));
    const Truth c = cosh(Truth(distance));
    return {acosh1p(excess(x)), acosh1p(u * (2 * c * c - 1))};
  }

  /// The tile so many random steps from another one.
  LTile walked(LTile tile, int steps) {
    for (int i = 0; i < steps; ++i) tile = tile * LTile::of(Generator(random_() % 4));
    return tile;
  }

  std::array<Truth, 2> in_domain() {
    while (true) {
      std::array<Truth, 2> x = {uniform(-1, 1), uniform(-1, 1)};
      if (geometry::in_domain(std::array{x[0].convert_to<double>(), x[1].convert_to<double>()}))
        return x;
    }
  }
  static Truth3 lifted(const std::array<Truth, 2>& x) {
    return {sqrt(1 + x[0] * x[0] + x[1] * x[1]), x[0], x[1]};
  }
  static LTilingPoint<double> stored(const LTile& tile, const std::array<Truth, 2>& x) {
    return {tile, {x[0].convert_to<double>(), x[1].convert_to<double>()}};
  }

  Sample ltiling_point_of_three() {
    return {acosh1p(excess(lifted(in_domain()))), std::sqrt(10 * u)};
  }
  Sample ltiling_point() {
    const auto x = in_domain();
    // the tile is exact, so it moves both points alike
    const Truth d = true_distance(lifted(x), truth_of(stored(LTile(), x)));
    return {d.convert_to<double>(), 2 * u};
  }
  Sample htiling_point() {
    const std::vector<Truth> x = {uniform(0, 1), uniform(1, 2)};
    const std::vector<Truth> y = {Truth(x[0].convert_to<double>()),
                                  Truth(x[1].convert_to<double>())};
    return {true_distance(x, y).convert_to<double>(),
            acosh1p(Truth(5) * u * u / (2 * (1 - Truth(u))))};
  }

  /// Two points at the distance 2 from each other, both at `distance` from the origin.
  Sample lorentz_pair(double distance, bool gradient) {
    const Truth angle = uniform(0, 6.2);
    const Truth turn = 2 * asin(Truth(sinh(Truth(1)) / sinh(Truth(distance))));
    const Truth3 x = polar(distance, angle);
    const Truth3 y = polar(distance, angle + turn);
    const auto p = rounded(x);
    const auto q = rounded(y);
    const double z = p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
    const double square = std::pow(std::cosh(distance), 2);
    if (!gradient) return {std::fabs(std::acosh(z) - 2), (12 * square / std::sinh(2.0) + 2) * u};
    // M y / sqrt(z^2 - 1), relative to its Euclidean norm
    const double root = std::sqrt(z * z - 1);
    Truth error = 0;
    Truth norm = 0;
    const Truth sinh2 = sinh(Truth(2));
    for (std::size_t i = 0; i < 3; ++i) {
      const double ours = q[i] / root;
      if (std::isnan(ours)) return {ours, 0};
      error += (Truth(ours) - y[i] / sinh2) * (Truth(ours) - y[i] / sinh2);
      norm += y[i] * y[i] / (sinh2 * sinh2);
    }
    const double t = std::tanh(2.0);
    return {sqrt(Truth(error / norm)).convert_to<double>(),
            (12 * square / (std::sinh(2.0) * t) + 2 / (t * t) + 2) * u};
  }

  LTile tile_at(double distance) {
    return validation::tile_at(distance, [&] { return random_() % 4; });
  }

  Sample ltiling_distance(double distance, bool far) {
    const LTile tile = tile_at(distance);
    const LTile other = far ? tile_at(distance) : walked(tile, 3);
    const auto a = in_domain();
    const auto b = in_domain();
    const double ours = geometry::LTiling<double>().dist(stored(tile, a), stored(other, b));
    // with the unrounded coordinates
    const LTile z = geometry::relative(tile, other);
    const Truth truth = true_distance(lifted(a), moved(z, b));
    const double d = truth.convert_to<double>();
    return {std::fabs(Truth(Truth(ours) - truth).convert_to<double>()), (2 * d + 68) * u};
  }

  /// L Z L^-1 h(b).
  static Truth3 moved(const LTile& z, const std::array<Truth, 2>& b) {
    const Truth root3 = sqrt(Truth(3));
    Truth3 in = lifted(b);
    in[0] /= root3;
    Truth3 r;
    for (int i = 0; i < 3; ++i) {
      r[std::size_t(i)] = 0;
      for (int j = 0; j < 3; ++j) r[std::size_t(i)] += truth_of(z.entry(i, j)) * in[std::size_t(j)];
    }
    r[0] *= root3;
    return r;
  }

  Sample ltiling_gradient(double distance) {
    const LTile tile = tile_at(distance);
    while (true) {
      const LTile other = walked(tile, 3);
      const auto a = in_domain();
      const auto b = in_domain();
      const Truth3 p = lifted(a);
      const Truth3 q = moved(geometry::relative(tile, other), b);
      const Truth z = p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
      const double d = true_distance(p, q).convert_to<double>();
      if (d < 0.25) continue;
      const auto ours =
          geometry::LTiling<double>().dist_gradient(stored(tile, a), stored(other, b));
      double worst = 0;
      for (std::size_t i = 0; i < 2; ++i) {
        const Truth slope = (p[i + 1] / p[0] * q[0] - q[i + 1]) / sqrt(z * z - 1);
        worst = std::max(worst, std::fabs(Truth(Truth(ours[i]) - slope).convert_to<double>()));
      }
      return {worst, 36 * u / std::tanh(d)};
    }
  }

  std::mt19937_64 random_;
};

}  // namespace

std::vector<TilingErrorRow> tiling_errors(TilingError what, const std::vector<double>& distances,
                                          int samples, std::uint64_t seed) {
  std::vector<TilingErrorRow> rows;
  for (const double distance : distances) {
    if (!(distance > 0 && distance <= 700))
      throw DomainError("tiling_errors: a distance of " + number_text(distance) +
                        " is not between 0 and 700");
    const TruthPrecision precision(long(distance * 8) + 600);
    Sampler sampler(seed);
    TilingErrorRow row{distance, 0, 0};
    for (int i = 0; i < samples; ++i) {
      const Sample s = sampler.sample(what, distance);
      const bool worse = std::isnan(s.measured) || row.bound == 0 ||
                         s.measured / s.bound > row.measured / row.bound;
      if (worse && !std::isnan(row.measured)) row = {distance, s.measured, s.bound};
    }
    rows.push_back(row);
  }
  return rows;
}

double ltiling_step_error(double distance, Random& random) {
  const TruthPrecision precision(600);
  const LTile tile = tile_at(distance, [&] { return random.below(4); });
  const geometry::LTiling<double> space;
  const auto start =
      space.from_hyperboloid({unit_interval(random) - 0.5, unit_interval(random) - 0.5});
  const LTilingPoint<double> x{tile * start.tile, start.u};
  const PlaneVector v = frame_vector(0.5, random);
  const LTilingPoint<double> y = space.expmap(x, v);
  // the tile is exact and moves all points alike: truth and result are compared in x's tile
  const LTilingPoint<double> here{LTile(), x.u};
  const LTilingPoint<double> there{geometry::relative(x.tile, y.tile), y.u};
  return true_distance(followed(truth_of(here), lifted(here, v)), truth_of(there))
      .convert_to<double>();
}

double htiling_step_error(double distance, Random& random) {
  const TruthPrecision precision(3000);
  geometry::HTilingPoint<double, 2> x;
  // x ~ e^(d/3), h ~ e^(-d/3)
  const int level = int(distance / 3 / std::log(2.0));
  x.j = -level;
  geometry::Integer& k = x.k[0] = geometry::Integer(1);
  for (int bits = 2 * level; bits > 0; bits -= 16)
    k = k * geometry::Integer(std::int64_t(1) << std::min(bits, 16)) +
        geometry::Integer(std::int64_t(bits > 16 ? random.below(65536) : 0));
  x.z = {unit_interval(random), 1 + unit_interval(random)};
  const PlaneVector frame = frame_vector(0.5, random);
  const PlaneVector v{frame[0] * x.z[1], frame[1] * x.z[1]};
  const auto y = geometry::HTiling<double, 2>().expmap(x, v);
  const std::vector<Truth> in_frame{truth_of(v[0]) / x.z[1], truth_of(v[1]) / x.z[1]};
  return true_distance(followed(truth_of(x), in_frame), truth_of(y)).convert_to<double>();
}

double ltiling_distance_error(double distance, Random& random) {
  const TruthPrecision precision(600);
  return Sampler(random.below(std::uint64_t(1) << 53)).ltiling_relative(distance);
}

double htiling_distance_error(double distance, Random& random) {
  const TruthPrecision precision(3000);
  geometry::HTilingPoint<double, 2> x;
  x.j = -int(distance / std::log(2.0));
  geometry::Integer& k = x.k[0] = geometry::Integer(1);
  for (std::int64_t bits = -x.j; bits > 0; bits -= 16)
    k = k * geometry::Integer(std::int64_t(1) << std::min<std::int64_t>(bits, 16)) +
        geometry::Integer(std::int64_t(bits > 16 ? random.below(65536) : 0));
  const auto digits = [&] {
    return Truth(unit_interval(random)) * (1 - ldexp(Truth(1), -20)) +
           ldexp(Truth(unit_interval(random)), -50);
  };
  const Truth along = digits();
  const Truth up = 1 + digits();
  x.z = {along.convert_to<double>(), up.convert_to<double>()};
  const std::vector<Truth> a{ldexp(Truth(truth_of(k) + along), int(x.j)), ldexp(up, int(x.j))};
  const PlaneVector v = frame_vector(1, random);
  const std::vector<Truth> b = followed(a, {Truth(v[0]), Truth(v[1])});
  // the tile in which the library finds the end, with the true place in it, rounded
  auto y = geometry::HTiling<double, 2>().expmap(x, {v[0] * x.z[1], v[1] * x.z[1]});
  y.z = {Truth(ldexp(b[0], -int(y.j)) - truth_of(y.k[0])).convert_to<double>(),
         Truth(ldexp(b[1], -int(y.j))).convert_to<double>()};
  const Truth truth = true_distance(a, b);
  const double ours = geometry::HTiling<double, 2>().dist(x, y);
  return std::fabs(Truth((Truth(ours) - truth) / truth).convert_to<double>());
}

double theorem_b13_constant() {
  const double c0 = std::cosh(2.0);
  return 1825.0 / 432 + 245 * c0 / 3 + std::log(70.0 / 3);
}

}  // namespace mct::validation
