#include "mctensor/geometry/storage/stored_point.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/tiling/ltiling_point.hpp"
#include "mctensor/geometry/tiling/word.hpp"
#include "src/geometry/tiling/big_integer.hpp"

namespace mct::geometry {

namespace {

namespace mp = boost::multiprecision;

template <unsigned bits>
using Number = mp::number<mp::cpp_bin_float<bits, mp::digit_base_2>, mp::et_off>;

template <class F>
F number_of(const Integer& x) {
  return F(to_cpp_int(x));
}
/// floor(x).
template <class F>
Integer whole(const F& x) {
  return from_cpp_int(floor(x).template convert_to<mp::cpp_int>());
}
template <class F>
F sum_of(const std::vector<double>& components) {
  F sum = 0;
  for (const double c : components) sum += F(c);
  return sum;
}

/// x rounded to the nearest of `bits` bits, ties to even.
template <class F>
double rounded(const F& x, int bits) {
  if (bits == 53) return x.template convert_to<double>();
  if (bits == 24) return double(x.template convert_to<float>());
  int exponent;
  const F mantissa = ldexp(frexp(x, &exponent), bits);
  const F below = floor(mantissa);
  const F rest = mantissa - below;
  const bool up = rest > F(0.5) || (rest == F(0.5) && floor(F(below / 2)) * 2 != below);
  return ldexp(F(below + (up ? 1 : 0)), exponent - bits).template convert_to<double>();
}
/// The leading components of a number, each rounded to nearest.
template <class F>
std::vector<double> split(F x, std::size_t count, int bits) {
  std::vector<double> components(count, 0.0);
  for (double& c : components) {
    c = rounded(x, bits);
    if (!std::isfinite(c)) break;
    x -= F(c);
  }
  return components;
}

[[noreturn]] void refuse_storage() {
  throw DomainError(
      "stored points: this storage cannot be used here; use that of the hyperboloid, of a "
      "half-space or of a tiling");
}

/// A point of the hyperboloid, the first coordinate apart.
template <class F>
struct HyperboloidPoint {
  std::vector<F> space;
  F time;
};

/// Of horizontal coordinates over the height, and the height.
template <class F>
std::vector<F> space_of_half_space(std::vector<F> x, const F& height) {
  F square = 0;
  for (const F& c : x) square += c * c;
  // |x|^2 / h is h times the square
  x.push_back((height + height * square - 1 / height) / 2);
  return x;
}

template <class F>
std::vector<F> read(const StoredPoint& from) {
  std::vector<F> x;
  for (const auto& components : from.coordinates) x.push_back(sum_of<F>(components));
  switch (from.storage) {
    case PointStorage::half_space:
    case PointStorage::log_half_space: {
      const bool logarithmic = from.storage == PointStorage::log_half_space;
      const F height = logarithmic ? F(exp(x.back())) : x.back();
      x.pop_back();
      for (F& c : x) c /= height;
      return space_of_half_space(x, height);
    }
    case PointStorage::h_tiling: {
      const F z = x.back();
      x.pop_back();
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = (number_of<F>(from.cube[i]) + x[i]) / z;
      return space_of_half_space(x, F(ldexp(z, int(from.level))));
    }
    case PointStorage::l_tiling: {
      const F root3 = sqrt(F(3));
      const F inner[] = {sqrt(F(1 + x[0] * x[0] + x[1] * x[1])) / root3, x[0], x[1]};
      for (int row = 1; row < 3; ++row) {
        F sum = 0;
        for (int column = 0; column < 3; ++column)
          sum += number_of<F>(from.tile.entry(row, column)) * inner[column];
        x[std::size_t(row - 1)] = sum;
      }
      return x;
    }
    case PointStorage::lorentz:
      return x;
    default:
      refuse_storage();
  }
}

/// The point at numerator / denominator times the distance.
template <class F>
HyperboloidPoint<F> moved(std::vector<F> x, double numerator, double denominator) {
  F square = 0;
  for (const F& c : x) square += c * c;
  const F sinh_d = sqrt(square);
  const F cosh_d = sqrt(F(1 + square));
  if (sinh_d == 0 || numerator == denominator) return {x, cosh_d};
  const F d = log(F(sinh_d + cosh_d)) * F(numerator) / F(denominator);
  const F e = exp(d);
  const F factor = (e - 1 / e) / 2 / sinh_d;
  for (F& c : x) c *= factor;
  return {x, (e + 1 / e) / 2};
}

template <class F>
void write_half_space(StoredPoint& to, const HyperboloidPoint<F>& p) {
  const F height = 1 / (p.time - p.space.back());
  for (std::size_t i = 0; i + 1 < p.space.size(); ++i)
    to.coordinates[i] = split(F(p.space[i] * height), to.coordinates[i].size(), to.bits);
  const bool logarithmic = to.storage == PointStorage::log_half_space;
  to.coordinates.back() =
      split(logarithmic ? F(log(height)) : height, to.coordinates.back().size(), to.bits);
}
template <class F>
void write_h_tile(StoredPoint& to, const HyperboloidPoint<F>& p) {
  int up;
  const F mantissa = frexp(F(1 / (p.time - p.space.back())), &up);  // from 1/2 to 1
  to.level = up - 1;
  for (std::size_t i = 0; i + 1 < p.space.size(); ++i) {
    const F place = p.space[i] * mantissa * 2;
    to.cube[i] = whole(place);
    to.coordinates[i] = split(F(place - floor(place)), to.coordinates[i].size(), to.bits);
  }
  to.coordinates.back() = split(F(mantissa * 2), to.coordinates.back().size(), to.bits);
}
template <class F>
void write_l_tile(StoredPoint& to, const HyperboloidPoint<F>& p) {
  // the reduction multiplies the errors of the column by its size
  int size;
  frexp(p.time, &size);
  const int fixed = size + int(to.coordinates[0].size()) * to.bits + 64;
  std::array<Integer, 3> column = {whole(F(ldexp(F(p.time / sqrt(F(3))), fixed))),
                                   whole(F(ldexp(p.space[0], fixed))),
                                   whole(F(ldexp(p.space[1], fixed)))};
  LTilingPoint<F> point;
  point.tile = reduce_column(column, fixed);
  for (std::size_t i = 0; i < 2; ++i) point.u[i] = ldexp(number_of<F>(column[i + 1]), -fixed);
  // the column is near the origin, but not yet in the domain
  reduce(point);
  to.tile = point.tile;
  for (std::size_t i = 0; i < 2; ++i)
    to.coordinates[i] = split(point.u[i], to.coordinates[i].size(), to.bits);
}
template <class F>
void write(StoredPoint& to, const HyperboloidPoint<F>& p) {
  switch (to.storage) {
    case PointStorage::half_space:
    case PointStorage::log_half_space:
      return write_half_space(to, p);
    case PointStorage::l_tiling:
      return write_l_tile(to, p);
    case PointStorage::h_tiling:
      return write_h_tile(to, p);
    case PointStorage::lorentz:
      for (std::size_t i = 0; i < p.space.size(); ++i)
        to.coordinates[i] = split(p.space[i], to.coordinates[i].size(), to.bits);
      return;
    default:
      refuse_storage();
  }
}

double bits_in(const StoredPoint& point) {
  std::size_t most = 0;
  for (const auto& components : point.coordinates) most = std::max(most, components.size());
  return double(most) * point.bits;
}
/// The bits from 1 down to the smallest component: next to the origin sums with 1 must hold both.
/// Throws DomainError for numbers that are not finite.
double bits_below_one(const StoredPoint& point) {
  int least = 0;
  for (const auto& components : point.coordinates)
    for (const double c : components) {
      if (!std::isfinite(c))
        throw DomainError("stored points: a coordinate is " + number_text(c) +
                          ", expected a finite number");
      if (c != 0) least = std::min(least, std::ilogb(c));
    }
  return -least;
}

}  // namespace

void store_at(StoredPoint& to, const StoredPoint& from, double distance, double numerator,
              double denominator) {
  if (!(numerator > 0) || !(denominator > 0) || !std::isfinite(numerator) ||
      !std::isfinite(denominator))
    throw DomainError("stored points: the factor " + number_text(numerator) + " / " +
                      number_text(denominator) + " is not a finite number above 0");
  // coordinates are as large as e^d and differences as small as e^-d
  const double bits = 2.9 * std::max(distance, distance * numerator / denominator) + 96 +
                      bits_below_one(from) + std::max(bits_in(from), bits_in(to));
  const auto run = [&](auto number) {
    using F = decltype(number);
    write(to, moved(read<F>(from), numerator, denominator));
  };
  if (bits <= 512) {
    run(Number<512>());
  } else if (bits <= 4096) {
    run(Number<4096>());
  } else if (bits <= 16384) {
    run(Number<16384>());
  } else {
    throw DomainError("stored points: a point at distance " + number_text(distance) +
                      " would need " + number_text(bits) + " bits to be moved to " +
                      number_text(numerator / denominator) + " times that");
  }
}

}  // namespace mct::geometry
