// The parts of `mct compress` and `mct decompress`.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/mct/ball_or_half_space.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/geometry/tiling/codec.hpp"
#include "mctensor/graph/tree.hpp"

namespace mct::cli::compress {

using geometry::LTilingPoint;
/// Points with all digits that are computed: errors are measured against these.
using Embedding = std::vector<LTilingPoint<f64x2>>;

/// Numbers in text have at most this many decimals, and digits before the point: enough for
/// distances of 46000.
constexpr int most_decimals = 20000;

/// Bits that are kept in addition to the bits of the distance.
constexpr std::int64_t spare_bits = 140;

/// x * 2^power without its fraction, in integers of a library such as Boost.
template <class Big>
Big whole_times_power(double x, std::int64_t power) {
  constexpr int digits = 53;
  int exponent;
  const Big mantissa(std::int64_t(std::ldexp(std::frexp(std::abs(x), &exponent), digits)));
  const std::int64_t shift = exponent - digits + power;
  const Big r = shift >= 0 ? Big(mantissa << unsigned(shift)) : Big(mantissa >> unsigned(-shift));
  return x < 0 ? Big(-r) : r;
}

/// The coordinates of the plane in a file: ball or half-space. Throws DomainError for others.
inline PointStorage storage_from(std::string_view name) {
  const auto former = embed::former_storage_names.find(name);
  return former ? *former : ball_or_half_space.value("no model", name);
}

/// Reads points of the plane: a text file with two decimal numbers a line (separated by blanks, a
/// tab or a comma, of up to 20000 digits on both sides of the point; # begins a comment), or
/// NumPy's .npy of shape (n, 2), float64. Throws IoError naming file, line and value.
Embedding read_points(const std::filesystem::path& path, PointStorage model);

/// The points of an embedding in the plane. Points of the L-tiling stay as they are; points of all
/// other models keep all of their digits. Distances are in units of the radius. Throws DomainError
/// for another dimension, for a product of planes, and for a node that is no point of the space,
/// which it names.
Embedding points_of(const embed::Embedding& embedding);

/// The decimal digits that are computed for the text of these points: the time of write_points is
/// about 0.2 microseconds for each.
std::uint64_t digits_of_text(const std::vector<LTilingPoint<double>>& points, int decimals);

/// The most digits that a file of this size may ask for without a confirmation. Words of tiles
/// share their beginnings, so some kilobytes can stand for gigabytes of text. WordNet's nouns take
/// 28 digits a byte.
constexpr std::uint64_t usual_digits(std::uint64_t file_bytes) {
  return (std::uint64_t(1) << 24) + 256 * file_bytes;
}

/// Writes points as text that read_points reads, "x,y" a line, with `decimals` decimals; 0: as many
/// as each point needs to be right to 1e-17. The file is replaced as a whole. It is written in
/// parts, so it never lies in memory as a whole.
void write_points(const std::filesystem::path& path,
                  const std::vector<LTilingPoint<double>>& points, PointStorage model,
                  int decimals);

/// A tree by Sarkar's construction. Shows a progress bar.
Embedding embed_tree(const embed::Tree& tree, double edge_length);

/// How far decompressed points are from the original.
struct Errors {
  double mean_square;  // the mean of squared distances, MSHE
  double largest;
};
Errors errors_of(const Embedding& original, const std::vector<LTilingPoint<double>>& points);

/// A compressed file and its errors.
struct Compressed {
  std::vector<std::uint8_t> file;
  geometry::CompressedParts parts;
  Errors errors;  // of the points that are read back
};
/// Compresses points and reads them back. Shows a progress bar.
Compressed compressed(const Embedding& embedding, geometry::TileEncoding encoding,
                      geometry::CoordinateBits bits);
/// Writes the file, which is replaced as a whole, and prints its size and its largest error.
void save_compressed(const std::filesystem::path& path, const Compressed& compressed,
                     std::size_t points);

/// An embedding as decimal text in the unit disk, the same number of decimals for every node.
struct TextSize {
  int decimals;
  double bytes;
};
/// The text whose rounding error has this mean square.
TextSize text_at_error(const Embedding& embedding, double mean_square);
/// The text of the published experiment: numbers of 8200 bits, 2469 decimals.
TextSize published_text(const Embedding& embedding);

/// Every encoding with every number of bits, compared with the original size in bytes (0: a tree,
/// which has no original file).
std::string format_table(const Embedding& embedding, double original_bytes);

}  // namespace mct::cli::compress
