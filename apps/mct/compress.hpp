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
/// Points as exactly as they are worked with: errors are measured against these.
using Embedding = std::vector<LTilingPoint<f64x2>>;

/// Numbers of text have so many decimals, and digits before the point, at most: enough for
/// distances of 46000.
constexpr int most_decimals = 20000;

/// The bits kept beyond those that a distance takes.
constexpr std::int64_t spare_bits = 140;

/// x * 2^power without its fraction, in integers of a library.
template <class Big>
Big whole_times_power(double x, std::int64_t power) {
  constexpr int digits = 53;
  int exponent;
  const Big mantissa(std::int64_t(std::ldexp(std::frexp(std::abs(x), &exponent), digits)));
  const std::int64_t shift = exponent - digits + power;
  const Big r = shift >= 0 ? Big(mantissa << unsigned(shift)) : Big(mantissa >> unsigned(-shift));
  return x < 0 ? Big(-r) : r;
}

/// Which coordinates of the plane a file has: "ball" or "half-space", once called "halfspace".
/// Throws DomainError for others.
using geometry::PointStorage;
inline PointStorage storage_from(std::string_view name) {
  return ball_or_half_space.value("no model", name == "halfspace" ? "half-space" : name);
}

/// Reads points of the plane: a text file with two decimal numbers a line (separated by blanks, a
/// tab or a comma, of up to 20000 digits on both sides of the point; # begins a comment), or
/// NumPy's .npy of shape (n, 2), float64. Throws IoError naming file, line and value.
Embedding read_points(const std::filesystem::path& path, PointStorage model);

/// The points of an embedding in the plane: those of the L-tiling as they are, of all other models
/// with all digits that they have. Distances are in units of the radius. Throws DomainError for
/// another dimension, a product of planes, and the name of a node that is no point of the space.
Embedding points_of(const embed::Embedding& embedding);

/// The decimal digits that are computed for the text of these points: the time of write_points is
/// about 0.2 microseconds for each.
std::uint64_t digits_of_text(const std::vector<LTilingPoint<double>>& points, int decimals);

/// What a file of this size may ask for without being told: words of tiles share their beginnings,
/// so some kilobytes can stand for gigabytes of text. WordNet's nouns take 28 digits a byte.
constexpr std::uint64_t usual_digits(std::uint64_t file_bytes) {
  return (std::uint64_t(1) << 24) + 256 * file_bytes;
}

/// Writes points as text that read_points reads, "x,y" a line, with so many decimals; 0: as many as
/// each point needs to be right to 1e-17. The file is replaced as a whole, and never stands in
/// memory.
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

/// A compressed file, and what it costs.
struct Compressed {
  std::vector<std::uint8_t> file;
  geometry::CompressedParts parts;
  Errors errors;  // of what is read back
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

/// Every encoding with every number of bits, beside the original size in bytes (0: trees, which
/// have no original file).
std::string format_table(const Embedding& embedding, double original_bytes);

}  // namespace mct::cli::compress
