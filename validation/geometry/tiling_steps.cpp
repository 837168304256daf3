#include "validation/geometry/tiling_steps.hpp"

#include <cmath>

#include "mctensor/geometry/tiling/htiling.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"
#include "validation/geometry/tiling_truth.hpp"

namespace mct::validation {

namespace {

using geometry::Generator;
using geometry::HTiling;
using geometry::HTilingPoint;
using geometry::Integer;
using geometry::LTile;
using geometry::LTiling;
using geometry::LTilingPoint;

double unit(Random& random) {
  return std::ldexp(double(random.below(std::uint64_t(1) << 53)), -53);
}

/// A product of random generators that leads so far from the origin.
LTile tile_at(double distance, Random& random) {
  LTile tile;
  const double goal = std::cosh(std::min(distance, 30.0));
  const auto bits = std::int64_t(distance / std::log(2.0)) - 1;
  while (tile.entry(0, 0).bit_length() < bits || tile.entry(0, 0).scaled<double>() < goal)
    tile = tile * LTile::of(Generator(random.below(4)));
  return tile;
}

/// A random integer of so many bits.
Integer integer_of(int bits, Random& random) {
  Integer k(1);
  for (; bits > 16; bits -= 16) k = k * Integer(65536) + Integer(std::int64_t(random.below(65536)));
  return k * Integer(std::int64_t(1) << bits);
}

}  // namespace

double ltiling_step_error(double distance, Random& random) {
  const TruthPrecision precision(600);
  const LTile tile = tile_at(distance, random);
  const LTiling<double> space;
  const auto start = space.from_hyperboloid({unit(random) - 0.5, unit(random) - 0.5});
  const LTilingPoint<double> x{tile * start.tile, start.u};
  const double angle = 6.28 * unit(random);
  const LTiling<double>::Tangent v = {0.5 * std::cos(angle), 0.5 * std::sin(angle)};
  const LTilingPoint<double> y = space.expmap(x, v);
  // the tile is exact and moves all points alike: truth and result are compared in x's tile
  const Truth a = truth_of(x.u[0]);
  const Truth b = truth_of(x.u[1]);
  const Truth time = sqrt(1 + a * a + b * b);
  const Truth rise = (a * truth_of(v[0]) + b * truth_of(v[1])) / time;
  const Truth s = sqrt(Truth(truth_of(v[0]) * v[0] + truth_of(v[1]) * v[1] - rise * rise));
  const Truth c = cosh(s);
  const Truth along = sinh(s) / s;
  const Truth3 exact = {c * time + along * rise, c * a + along * v[0], c * b + along * v[1]};
  const LTilingPoint<double> relative_y{geometry::relative(x.tile, y.tile), y.u};
  return true_distance(exact, truth_of(relative_y)).convert_to<double>();
}

double htiling_step_error(double distance, Random& random) {
  const TruthPrecision precision(3000);
  HTilingPoint<double, 2> x;
  // x ~ e^(d/3), h ~ e^(-d/3)
  const int level = int(distance / 3 / std::log(2.0));
  x.j = -level;
  x.k[0] = integer_of(2 * level, random);
  x.z = {unit(random), 1 + unit(random)};
  const double angle = 6.28 * unit(random);
  const HTiling<double, 2>::Tangent v = {0.5 * std::cos(angle) * x.z[1],
                                         0.5 * std::sin(angle) * x.z[1]};
  const auto y = HTiling<double, 2>().expmap(x, v);
  const Truth up = truth_of(v[1]) / x.z[1];
  const Truth side = truth_of(v[0]) / x.z[1];
  const Truth s = sqrt(Truth(up * up + side * side));
  const auto from = truth_of(x);
  const std::vector<Truth> exact = {from[0] + from[1] * side / (s / tanh(s) - up),
                                    from[1] / (cosh(s) - sinh(s) / s * up)};
  return true_distance(exact, truth_of(y)).convert_to<double>();
}

}  // namespace mct::validation
