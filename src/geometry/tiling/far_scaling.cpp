#include "mctensor/geometry/tiling/far_scaling.hpp"

#include "mctensor/geometry/tiling/word.hpp"
#include "src/geometry/far_numbers.hpp"
#include "src/geometry/tiling/big_integer.hpp"

namespace mct::geometry::far_scaling {

namespace {

using boost::multiprecision::cpp_int;
using far_detail::split;
using far_detail::sum_of;

template <class F>
F number_of(const Integer& x) {
  return F(to_cpp_int(x));
}
double digits_of(const Places& places) {
  return double(places.coordinates.front().size()) * (places.single ? 24 : 53);
}

/// floor(x).
template <class F>
Integer whole(const F& x) {
  return from_cpp_int(floor(x).template convert_to<cpp_int>());
}

template <class F>
void scale(LTile& tile, Places& places, double numerator, double denominator) {
  const F root3 = sqrt(F(3));
  std::vector<F> u;
  F square = 1;
  for (const auto& components : places.coordinates) {
    u.push_back(sum_of<F>(components));
    square += u.back() * u.back();
  }
  const F inner[] = {sqrt(square) / root3, u[0], u[1]};
  std::vector<F> x;
  for (int row = 1; row < 3; ++row) {
    F sum = 0;
    for (int column = 0; column < 3; ++column)
      sum += number_of<F>(tile.entry(row, column)) * inner[column];
    x.push_back(sum);
  }
  const F cosh_d = far_detail::move_on(x, numerator, denominator);
  // the reduction multiplies the errors of the column by its size
  int size;
  frexp(cosh_d, &size);
  const int fixed = size + int(digits_of(places)) + 64;
  std::array<Integer, 3> column = {whole(F(ldexp(F(cosh_d / root3), fixed))),
                                   whole(F(ldexp(x[0], fixed))), whole(F(ldexp(x[1], fixed)))};
  LTilingPoint<F> moved;
  moved.tile = reduce_column(column, fixed);
  for (std::size_t i = 0; i < 2; ++i) moved.u[i] = ldexp(number_of<F>(column[i + 1]), -fixed);
  // the column is near the origin, but not yet in the domain
  reduce(moved);
  tile = moved.tile;
  for (std::size_t i = 0; i < 2; ++i)
    places.coordinates[i] = split(moved.u[i], places.coordinates[i].size(), places.single);
}

template <class F>
void scale(std::int64_t& level, std::vector<Integer>& cube, Places& places, double numerator,
           double denominator) {
  const std::size_t n = places.coordinates.size();
  // in units of 2^level: h x_i and h h are the coordinates
  const F z = sum_of<F>(places.coordinates.back());
  const F h = ldexp(z, int(level));
  std::vector<F> x;
  F square = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    x.push_back((number_of<F>(cube[i]) + sum_of<F>(places.coordinates[i])) / z);
    square += x.back() * x.back();
  }
  x.push_back((h + h * square - 1 / h) / 2);
  const F cosh_d = far_detail::move_on(x, numerator, denominator);
  const F to = 1 / (cosh_d - x.back());
  int up;
  const F mantissa = frexp(to, &up);  // from 1/2 to 1
  level = up - 1;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const F place = x[i] * mantissa * 2;
    cube[i] = whole(place);
    places.coordinates[i] =
        split(F(place - floor(place)), places.coordinates[i].size(), places.single);
  }
  places.coordinates.back() =
      split(F(mantissa * 2), places.coordinates.back().size(), places.single);
}

}  // namespace

void scale_from_origin(LTile& tile, Places& places, double d, double numerator,
                       double denominator) {
  far_detail::with_bits(d, numerator, denominator, digits_of(places), [&](auto number) {
    scale<decltype(number)>(tile, places, numerator, denominator);
  });
}

void scale_from_origin(std::int64_t& level, std::vector<Integer>& cube, Places& places, double d,
                       double numerator, double denominator) {
  far_detail::with_bits(d, numerator, denominator, digits_of(places), [&](auto number) {
    scale<decltype(number)>(level, cube, places, numerator, denominator);
  });
}

}  // namespace mct::geometry::far_scaling
