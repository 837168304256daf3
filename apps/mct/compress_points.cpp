// Points of the plane from decimal text and NumPy: read exactly, at any distance.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <cmath>
#include <string_view>

#include "apps/mct/compress.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/tiling/boost_integer.hpp"
#include "mctensor/geometry/tiling/word.hpp"
#include "mctensor/tensor/npy.hpp"
#include "output/progress.hpp"

namespace mct::cli::compress {
namespace {

using boost::multiprecision::cpp_int;
using geometry::from_cpp_int;
using geometry::Integer;
using geometry::LTile;
using geometry::to_cpp_int;

std::int64_t bits_of(const cpp_int& x) { return x.is_zero() ? 0 : std::int64_t(msb(abs(x))) + 1; }

// ---------------------------------------------------------------------------------- numbers

/// digits * 10^exponent.
struct Decimal {
  cpp_int digits;
  long exponent = 0;
};

enum class Parsed { number, no_number, too_long };

/// The exponent after an e or E.
Parsed parse_exponent(std::string_view text, long& exponent) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') return Parsed::no_number;
  }
  const auto r = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (r.ptr != text.data() + text.size() || r.ec == std::errc::invalid_argument)
    return Parsed::no_number;
  // (not by labs: the least of all has no absolute value)
  const bool within = exponent >= -most_decimals && exponent <= most_decimals;
  return r.ec == std::errc() && within ? Parsed::number : Parsed::too_long;
}

/// "-1.5e-7". Digits farther than most_decimals from the point are refused, because the work grows
/// with the square of their number.
Parsed parse_decimal(std::string_view text, Decimal& number) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  long exponent = 0;
  auto parsed = Parsed::number;
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    parsed = parse_exponent(text.substr(e + 1), exponent);
    text = text.substr(0, e);
  }
  std::string digits(text);
  std::size_t decimals = 0;
  if (const auto point = digits.find('.'); point != std::string::npos) {
    decimals = digits.size() - point - 1;
    digits.erase(point, 1);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
    return Parsed::no_number;
  if (parsed != Parsed::number) return parsed;
  // the exponent is within the limit, so nothing overflows here
  if (digits.size() > 2 * std::size_t(most_decimals)) return Parsed::too_long;
  exponent -= long(decimals);
  if (exponent < -most_decimals || exponent + long(digits.size()) > most_decimals)
    return Parsed::too_long;
  number = {to_cpp_int(Integer::from_string((negative ? "-" : "") + digits)), exponent};
  return Parsed::number;
}

cpp_int power_of_ten(long exponent) { return pow(cpp_int(10), unsigned(exponent)); }

/// Two numbers over one denominator.
struct Fractions {
  std::array<cpp_int, 2> numerator;
  cpp_int denominator;
};

Fractions fractions_of(const std::array<Decimal, 2>& x) {
  const long lowest = std::min({x[0].exponent, x[1].exponent, 0L});
  Fractions f{{}, power_of_ten(-lowest)};
  for (std::size_t i = 0; i < 2; ++i)
    f.numerator[i] = x[i].digits * power_of_ten(x[i].exponent - lowest);
  return f;
}

/// Each number is the sum of a vector.
Fractions fractions_of(const std::array<std::vector<double>, 2>& x) {
  int lowest = 0;  // every bit of x is above 2^lowest
  for (const auto& number : x)
    for (const double c : number)
      if (c != 0) lowest = std::min(lowest, std::ilogb(c) - 53);
  Fractions f{{}, cpp_int(1) << unsigned(-lowest)};
  for (std::size_t i = 0; i < 2; ++i)
    for (const double c : x[i]) f.numerator[i] += whole_times_power<cpp_int>(c, -lowest);
  return f;
}

// ---------------------------------------------------------------------------------- points

/// (x_0, x_1, x_2) / scale on the hyperboloid.
struct Lorentz {
  std::array<cpp_int, 3> x;
  cpp_int scale;
};

/// False outside the disk or the half-plane.
bool to_lorentz(const Fractions& f, PointStorage model, Lorentz& r) {
  const cpp_int& p = f.numerator[0];
  const cpp_int& q = f.numerator[1];
  const cpp_int& d = f.denominator;
  const cpp_int square = p * p + q * q;
  const cpp_int one = d * d;
  if (model == PointStorage::ball) {
    r = {{one + square, 2 * p * d, 2 * q * d}, one - square};
  } else {
    r = {{square + one, 2 * p * d, square - one}, 2 * q * d};
  }
  return r.scale > 0;
}

/// The tile and the point in it: the vector is reduced in fixed point, as a column of integers.
LTilingPoint<f64x2> to_tiling(const Lorentz& p) {
  // x_0 is below 2^far; the reduction multiplies errors by at most this factor
  const std::int64_t far = bits_of(p.x[0]) - bits_of(p.scale) + 2;
  const std::int64_t fixed = std::max<std::int64_t>(0, far) + spare_bits;
  std::array<Integer, 3> c;
  for (std::size_t i = 0; i < 3; ++i)
    c[i] = from_cpp_int(cpp_int((p.x[i] << unsigned(fixed)) / p.scale));
  // the column of a tile has x_0 / sqrt(3)
  c[0] = dot(c[0], c[0], 0, 0, 0, 0).divided_by(3).square_root();
  LTilingPoint<f64x2> r;
  r.tile = geometry::reduce_column(c, fixed);
  r.u = {c[1].scaled<f64x2>(fixed), c[2].scaled<f64x2>(fixed)};
  geometry::reduce(r);
  return r;
}

std::string name_of_model(PointStorage model) {
  return model == PointStorage::ball ? "the unit disk" : "the half-plane (second coordinate > 0)";
}

Embedding read_npy_points(const std::filesystem::path& path, PointStorage model) {
  const auto table = load_npy<double, 1>(path);
  if (table.dim() != 2 || table.size(1) != 2)
    throw IoError("'" + path.string() + "': the array does not have the expected shape (n, 2)");
  Embedding points;
  for (std::int64_t i = 0; i < table.size(0); ++i) {
    const std::array<double, 2> x = {double(table.at({i, 0})), double(table.at({i, 1}))};
    Lorentz p;
    if (!std::isfinite(x[0]) || !std::isfinite(x[1]) ||
        !to_lorentz(fractions_of({{{x[0]}, {x[1]}}}), model, p))
      throw IoError(fmt::format("'{}', row {}: ({}, {}) is not in {}", path.string(), i, x[0], x[1],
                                name_of_model(model)));
    points.push_back(to_tiling(p));
  }
  if (points.empty()) throw IoError("'" + path.string() + "' has no points");
  return points;
}

/// One line; false if it is empty or a comment.
bool read_line(const TextLines& lines, std::string_view line, PointStorage model,
               LTilingPoint<f64x2>& point) {
  line = line.substr(0, line.find('#'));
  const auto words = words_of(line, " \t,");
  if (words.empty()) return false;
  if (words.size() > 2)
    lines.fail("two numbers are expected, but there is a third, " + shortened(words[2]));
  std::array<Decimal, 2> x;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Parsed parsed = parse_decimal(words[i], x[i]);
    if (parsed == Parsed::no_number) lines.fail(shortened(words[i]) + " is not a number");
    if (parsed == Parsed::too_long)
      lines.fail(fmt::format("{} has digits more than {} places from the point",
                             shortened(words[i]), most_decimals));
  }
  if (words.size() == 1)
    lines.fail("two numbers are expected, but there is one: " + shortened(line));
  Lorentz p;
  if (!to_lorentz(fractions_of(x), model, p))
    lines.fail(shortened(line) + " is not in " + name_of_model(model));
  point = to_tiling(p);
  return true;
}

/// Points that are already stored as tiles.
Embedding points_of_tiles(const embed::Embedding& embedding) {
  const Tensor<double>& all = embedding.coordinates();
  constexpr std::int64_t columns = 9 + 2;
  const std::int64_t rows = all.size(1);
  Embedding points;
  for (std::int64_t row = 0; row < rows; ++row) {
    std::array<Integer, 9> entries;
    LTilingPoint<f64x2> p;
    for (std::int64_t k = 0; k < all.size(0); ++k) {
      const double* x = all.data() + (k * rows + row) * columns;
      for (std::size_t i = 0; i < 9; ++i) {
        if (!(std::floor(x[i]) == x[i]) || std::isinf(x[i]))
          throw DomainError(fmt::format("the tile of '{}' has {}, which is not a whole number",
                                        embedding.name(std::int32_t(row)), x[i]));
        entries[i] = entries[i] + from_cpp_int(cpp_int(x[i]));
      }
      for (std::size_t i = 0; i < 2; ++i) p.u[i] = p.u[i] + x[9 + i];
    }
    p.tile = LTile::from_entries(entries);
    points.push_back(p);
  }
  return points;
}

}  // namespace

Embedding read_points(const std::filesystem::path& path, PointStorage model) {
  if (path.extension() == ".npy") return read_npy_points(path, model);
  TextLines lines(path);
  output::ProgressBar bar("read", lines.size(), "bytes");
  Embedding points;
  for (std::string_view line; lines.next(line); bar.update(lines.place(), lines.size())) {
    LTilingPoint<f64x2> point;
    if (read_line(lines, line, model, point)) points.push_back(point);
  }
  if (points.empty()) throw IoError(lines.name() + " has no points");
  return points;
}

Embedding points_of(const embed::Embedding& embedding) {
  const embed::EmbeddingSpace& space = embedding.space();
  if (space.dimensions != 2 || space.factors != 1)
    throw DomainError(
        "tiles can be written for points of one hyperbolic plane only, not for points of " +
        space.text());
  if (space.storage == PointStorage::l_tiling) return points_of_tiles(embedding);
  const Tensor<double> planes = embedding.half_space().factors[0].contiguous();
  Embedding points;
  for (std::int64_t row = 0; row < planes.size(1); ++row) {
    std::array<std::vector<double>, 2> x;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::int64_t k = 0; k < planes.size(0); ++k)
        x[i].push_back(planes.data()[(k * planes.size(1) + row) * 2 + std::int64_t(i)]);
    Lorentz p;
    to_lorentz(fractions_of(x), PointStorage::half_space, p);  // half_space() has checked heights
    points.push_back(to_tiling(p));
  }
  return points;
}

}  // namespace mct::cli::compress
