#include "src/embed/point_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "mctensor/eft/two_sum.hpp"
#include "mctensor/geometry/tiling/ltiling_point.hpp"
#include "src/embed/whole_numbers.hpp"
#include "src/tensor/random_words.hpp"

namespace mct::embed {

int tangents_of(const EmbeddingSpace& space) {
  return space.factors * (space.dimensions + (space.storage == PointStorage::lorentz ? 1 : 0));
}

int numbers_of(const EmbeddingSpace& space) {
  return space.factors * space.columns() * space.components;
}

namespace {

/// A number in [-1, 1) for coordinate i of a row.
double uniform(std::uint64_t seed, std::int64_t row, int i) {
  constexpr std::uint32_t stream = 0xE3BEDD;  // no other of a seed
  const auto words =
      tensor_detail::random_words(seed, (std::uint64_t(row) << 16) + std::uint64_t(i), stream);
  return 2 * double(tensor_detail::uniform<double, 1>(words)) - 1;
}

/// The point of the H-tiling at horizontal coordinates x and height h, near 1.
void put_cube(const double* x, int n, Dtype dtype, double* to) {
  const int level = std::ilogb(x[n - 1]);
  to[0] = level;
  for (int i = 0; i < n; ++i) {
    const double z = std::ldexp(x[i], -level);
    double whole = i + 1 < n ? std::floor(z) : 0;
    double rest = rounded_to(dtype, z - whole);
    if (i + 1 < n && rest == 1) {
      whole += 1;
      rest = 0;
    }
    if (i + 1 < n) to[1 + i] = whole;
    to[n + i] = rest;
  }
}

/// The point of the L-tiling with these last coordinates on the hyperboloid, in the first tile.
void put_tile(const double* x, double* to) {
  for (int i = 0; i < 9; ++i) to[i] = i % 4 == 0 ? 1 : 0;
  std::copy_n(x, 2, to + 9);
}

bool keep_in_tile(double* point, int components, Dtype dtype) {
  constexpr int numbers = 9 + 2;
  geometry::LTilingPoint<double> x;
  x.u = {point[9], point[10]};
  if (geometry::in_domain(x.u)) return true;
  std::array<geometry::Integer, 9> entries;
  for (int i = 0; i < 9; ++i) entries[std::size_t(i)] = whole_from(point + i, components, numbers);
  x.tile = geometry::LTile::from_valid_entries(entries);
  reduce(x);
  bool fits = true;
  for (int i = 0; i < 9; ++i)
    fits = put_whole(x.tile.entry(i / 3, i % 3), point + i, components, numbers) && fits;
  point[9] = rounded_to(dtype, x.u[0]);
  point[10] = rounded_to(dtype, x.u[1]);
  return fits;
}

}  // namespace

bool keep_in_tiles(double* point, const TrainOptions& options) {
  const int components = options.space.components;
  bool fits = true;
  for (int f = 0; f < options.space.factors; ++f)
    fits =
        keep_in_tile(point + std::ptrdiff_t(f) * components * (9 + 2), components, options.dtype) &&
        fits;
  return fits;
}

Tensor<double> initial_points(const TrainOptions& options, std::int64_t rows) {
  const EmbeddingSpace& space = options.space;
  const int n = space.dimensions;
  const int numbers = numbers_of(space);
  const int of_factor = numbers / space.factors;
  Tensor<double> points({rows, std::int64_t(numbers)});
  std::vector<double> x(static_cast<std::size_t>(n));
  for (std::int64_t row = 0; row < rows; ++row)
    for (int f = 0; f < space.factors; ++f) {
      double* to = points.data() + row * numbers + std::ptrdiff_t(f) * of_factor;
      double square = 0;
      for (int i = 0; i < n; ++i) {
        double& c = x[std::size_t(i)];
        c = rounded_to(options.dtype, options.init * uniform(options.seed, row, f * n + i));
        square += c * c;
      }
      const bool upper = space.storage != PointStorage::ball &&
                         space.storage != PointStorage::lorentz &&
                         space.storage != PointStorage::l_tiling;
      if (upper) x[std::size_t(n - 1)] = rounded_to(options.dtype, x[std::size_t(n - 1)] + 1);
      if (space.storage == PointStorage::h_tiling) {
        put_cube(x.data(), n, options.dtype, to);
        continue;
      }
      if (space.storage == PointStorage::l_tiling) {
        put_tile(x.data(), to);
        continue;
      }
      if (space.storage == PointStorage::lorentz)
        *to++ = rounded_to(options.dtype, std::sqrt(1 + square));
      for (const double c : x) *to++ = c;
    }
  return points;
}

Tensor<double> coordinates_of(const EmbeddingSpace& space, const Tensor<double>& points,
                              Dtype dtype) {
  const std::int64_t rows = points.size(0);
  const int columns = space.columns();
  const bool in_units =
      space.storage == PointStorage::ball || space.storage == PointStorage::lorentz;
  const double unit = in_units ? space.radius : 1;
  Tensor<double> out({space.components, rows, std::int64_t(space.factors) * columns});
  for (int k = 0; k < space.components; ++k)
    for (std::int64_t row = 0; row < rows; ++row)
      for (int f = 0; f < space.factors; ++f) {
        const double* from = points.data() + row * points.size(1) +
                             std::ptrdiff_t(f * space.components + k) * columns;
        double* to = out.data() + ((k * rows + row) * space.factors + f) * columns;
        for (int i = 0; i < columns; ++i) to[i] = unit * from[i];
      }
  if (dtype == Dtype::float32 && space.components == 2) {
    const std::int64_t plane = out.numel() / 2;
    for (double* x = out.data(); x < out.data() + plane; ++x) {
      const auto [high, low] = fast_two_sum(x[0], x[plane]);
      x[0] = high;
      x[plane] = low;
    }
  }
  return out;
}

}  // namespace mct::embed
