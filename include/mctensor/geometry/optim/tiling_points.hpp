// A table of points of a tiling, and its file. In both, tiles are whole numbers of any size.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/geometry/storage/coordinates.hpp"
#include "mctensor/geometry/tiling/htiling.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"
#include "mctensor/geometry/tiling/ltiling_product.hpp"
#include "mctensor/tensor/safetensors.hpp"

namespace mct::geometry {

namespace optim_detail {

/// The number of coordinates of every point within its tile; 0 if there are no points. Throws
/// ShapeError for a product whose points have different numbers of factors.
template <class Point>
std::int64_t places_in_all(const std::vector<Point>& points) {
  if (points.empty()) return 0;
  const std::size_t places = stored_detail::coordinates_in(points[0]);
  for (std::size_t row = 1; row < points.size(); ++row)
    if (stored_detail::coordinates_in(points[row]) != places)
      throw ShapeError("TilingPoints: point " + std::to_string(row) + " has " +
                       std::to_string(stored_detail::coordinates_in(points[row])) +
                       " coordinates, point 0 has " + std::to_string(places));
  return std::int64_t(places);
}

}  // namespace optim_detail

/// Points of a tiling: LTilingPoint<V>, HTilingPoint<V, n> or points of a product. A table is a
/// handle, as tensors are: copies share the points, clone() copies them.
template <class Point>
class TilingPoints {
 public:
  /// `rows` times the same point. Throws ShapeError for a negative number.
  TilingPoints(std::int64_t rows, const Point& point) {
    if (rows < 0)
      throw ShapeError("TilingPoints: the number of rows is " + std::to_string(rows) +
                       ", expected at least 0");
    points_ = std::make_shared<std::vector<Point>>(std::size_t(rows), point);
  }
  /// Throws ShapeError for points of different numbers of coordinates.
  explicit TilingPoints(std::vector<Point> points)
      : points_(std::make_shared<std::vector<Point>>(std::move(points))) {
    columns();
  }

  std::int64_t rows() const { return std::int64_t(points_->size()); }
  /// The number of coordinates of every point within its tile, 0 without points. Throws ShapeError
  /// if points have been replaced by points of another product.
  std::int64_t columns() const { return optim_detail::places_in_all(*points_); }
  /// The point may be written through a const handle; threads may write different rows.
  Point& operator[](std::int64_t row) const { return (*points_)[std::size_t(row)]; }
  TilingPoints clone() const { return TilingPoints(*points_); }
  /// Throws ShapeError if `source` has another number of rows.
  void copy_(const TilingPoints& source) const {
    if (source.rows() != rows())
      throw ShapeError("TilingPoints: a table of " + std::to_string(source.rows()) +
                       " rows cannot be copied to one of " + std::to_string(rows()) + " rows");
    *points_ = *source.points_;
  }

 private:
  std::shared_ptr<std::vector<Point>> points_;
};

namespace optim_detail {

/// Appends the number of digits of 32 bits (negative for a negative x), then the digits, lowest
/// first.
inline void write_integer(std::vector<std::int64_t>& out, const Integer& x) {
  const std::vector<std::uint32_t> digits = x.digits();
  const auto count = std::int64_t(digits.size());
  out.push_back(x.sign() < 0 ? -count : count);
  out.insert(out.end(), digits.begin(), digits.end());
}

/// Reads the whole numbers of a file one after the other. Throws DomainError for data that
/// write_integer does not write.
class IntegerReader {
 public:
  explicit IntegerReader(std::vector<std::int64_t> words) : words_(std::move(words)) {}

  Integer next() {
    const std::int64_t head = word();
    const auto left = std::int64_t(words_.size() - at_);
    if (head > left || head < -left) throw DomainError("the whole numbers end too early");
    std::vector<std::uint32_t> digits(std::size_t(head < 0 ? -head : head));
    for (std::size_t i = 0; i < digits.size(); ++i) {
      const std::int64_t digit = words_[at_ + i];
      if (digit < 0 || digit >> 32 != 0 || (i + 1 == digits.size() && digit == 0))
        throw DomainError(std::to_string(digit) + " is not a digit of a whole number");
      digits[i] = std::uint32_t(digit);
    }
    at_ += digits.size();
    return Integer::from_digits(head < 0 ? -1 : 1, digits);
  }
  bool at_end() const { return at_ == words_.size(); }

 private:
  std::int64_t word() {
    if (at_ == words_.size()) throw DomainError("the whole numbers end too early");
    return words_[at_++];
  }

  std::vector<std::int64_t> words_;
  std::size_t at_ = 0;
};

template <class V>
void write_tile(std::vector<std::int64_t>& out, const LTilingPoint<V>& x) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) write_integer(out, x.tile.entry(i, j));
}
template <class V, std::size_t n>
void write_tile(std::vector<std::int64_t>& out, const HTilingPoint<V, n>& x) {
  write_integer(out, Integer(x.j));
  for (const Integer& k : x.k) write_integer(out, k);
}
template <class V>
void write_tile(std::vector<std::int64_t>& out, const std::vector<LTilingPoint<V>>& x) {
  for (const auto& factor : x) write_tile(out, factor);
}

template <class V>
void read_tile(IntegerReader& in, LTilingPoint<V>& x) {
  std::array<Integer, 9> entries;
  for (Integer& entry : entries) entry = in.next();
  x.tile = LTile::from_entries(entries);
}
template <class V, std::size_t n>
void read_tile(IntegerReader& in, HTilingPoint<V, n>& x) {
  const Integer level = in.next();
  if (!level.is_small() || level.small() > tiling_detail::largest_level ||
      level.small() < -tiling_detail::largest_level)
    throw DomainError("the level of a point of the H-tiling is " + level.to_string() +
                      ", beyond 2^40");
  x.j = level.small();
  for (Integer& k : x.k) k = in.next();
}
template <class V>
void read_tile(IntegerReader& in, std::vector<LTilingPoint<V>>& x) {
  for (auto& factor : x) read_tile(in, factor);
}

/// The tolerance of 64 u^N is for points on the border of the fundamental domain F, where `reduce`
/// may end: rounding then moves them outside by some u^N.
template <class V>
bool in_tile(const LTilingPoint<V>& x) {
  using namespace tiling_detail;
  return finite(x.u[0]) && finite(x.u[1]) &&
         domain_function(x.u) <= V(limb_t<V>(1)) + V(limb_t<V>(64 * unit_roundoff<V>()));
}
template <class V, std::size_t n>
bool in_tile(const HTilingPoint<V, n>& x) {
  return in_cube(x.z);
}
template <class V>
bool in_tile(const std::vector<LTilingPoint<V>>& x) {
  for (const auto& factor : x)
    if (!in_tile(factor)) return false;
  return true;
}

/// The number type of the coordinates.
template <class Point>
using TilingScalar =
    std::remove_cvref_t<decltype(stored_detail::coordinate_of(std::declval<Point&>(), 0))>;
/// A tensor of numbers V.
template <class V>
using TilingTensor = Tensor<tiling_detail::limb_t<V>, tiling_detail::limbs_of<V>>;

}  // namespace optim_detail

/// Writes points exactly: tiles as whole numbers in words of 64 bits, places within tiles with
/// their components. Throws IoError, and ShapeError as columns().
template <class Point>
void save_points(const std::filesystem::path& path, const TilingPoints<Point>& points) {
  using V = optim_detail::TilingScalar<Point>;
  std::vector<std::int64_t> words;
  const std::int64_t columns = points.columns();
  optim_detail::TilingTensor<V> places({points.rows(), columns});
  for (std::int64_t row = 0; row < points.rows(); ++row) {
    optim_detail::write_tile(words, points[row]);
    stored_detail::store_row<tiling_detail::limbs_of<V>>(points[row], row, columns,
                                                         [&](int k) { return places.data(k); });
  }
  SafetensorsWriter writer;
  writer.add("tiles", Tensor<std::int64_t>::from_values(words));
  writer.add("places", places);
  writer.save(path);
}

/// Reads points that save_points has written into `points`, which must have the same number and
/// kind of points as the file. Throws IoError for a file that does not hold such points, ShapeError
/// as columns(). After an error `points` is unchanged.
template <class Point>
void load_points(const std::filesystem::path& path, const TilingPoints<Point>& points) {
  using V = optim_detail::TilingScalar<Point>;
  constexpr int limbs = tiling_detail::limbs_of<V>;
  const SafetensorsReader reader(path);
  const auto places = reader.template load<tiling_detail::limb_t<V>, limbs>("places").contiguous();
  const std::int64_t columns = points.columns();
  if (places.shape() != Shape{points.rows(), columns})
    throw IoError(path.string() + ": places of shape " + to_string(places.shape()) + ", expected " +
                  to_string(Shape{points.rows(), columns}));
  optim_detail::IntegerReader tiles(
      reader.template load<std::int64_t, 1>("tiles").flatten().values());
  const TilingPoints<Point> read = points.clone();
  for (std::int64_t row = 0; row < points.rows(); ++row) {
    try {
      optim_detail::read_tile(tiles, read[row]);
    } catch (const DomainError& error) {
      throw IoError(path.string() + ": point " + std::to_string(row) + ": " + error.what());
    }
    stored_detail::load_row<limbs>(read[row], row, columns, [&](int k) { return places.data(k); });
    if (!optim_detail::in_tile(read[row]))
      throw IoError(path.string() + ": point " + std::to_string(row) + " is outside its tile");
  }
  if (!tiles.at_end())
    throw IoError(path.string() +
                  ": the entry tiles holds more numbers than the tiles of the points need");
  points.copy_(read);
}

}  // namespace mct::geometry
