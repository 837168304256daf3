// The costs of compression: errors against the original, sizes beside decimal text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/mct/compress.hpp"
#include "mctensor/base/atomic_file.hpp"
#include "mctensor/embed/sarkar.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"
#include "output/progress.hpp"

namespace mct::cli::compress {
namespace {

using geometry::CoordinateBits;
using geometry::LTiling;
using geometry::TileEncoding;

constexpr TileEncoding encodings[] = {TileEncoding::matrix,  TileEncoding::matrix_vlq,
                                      TileEncoding::entries, TileEncoding::entries_vlq,
                                      TileEncoding::order,   TileEncoding::vbw,
                                      TileEncoding::front};
constexpr CoordinateBits all_bits[] = {CoordinateBits::f64, CoordinateBits::f32,
                                       CoordinateBits::f16, CoordinateBits::none};

/// "x.ddd,-0.ddd" and a line feed, signs counted.
double text_bytes(const Embedding& embedding, int decimals) {
  constexpr double around = 2 * 2 + 2;
  double bytes = double(embedding.size()) * (2.0 * decimals + around);
  const LTiling<double> plane;
  for (const auto& x : embedding)
    for (const double b : plane.to_ball({x.tile, {x.u[0].limb[0], x.u[1].limb[0]}}))
      bytes += b < 0 ? 1 : 0;
  return bytes;
}

/// log10 of the mean square of 2 / (1 - |b|^2) = 1 + cosh d, the factor from errors in the disk to
/// errors in distance. The mean square itself may be far beyond the range of double.
double log10_mean_square_factor(const Embedding& embedding) {
  const LTiling<double> plane;
  std::vector<double> logs;
  for (const auto& x : embedding) {
    const double d = plane.dist0({x.tile, {x.u[0].limb[0], x.u[1].limb[0]}});
    // log(1 + cosh d) = 2 log cosh(d / 2) + log 2
    logs.push_back(2 * (2 * (d / 2 + std::log1p(std::exp(-d))) - std::log(2.0)));
  }
  const double most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double l : logs) sum += std::exp(l - most);
  return (most + std::log(sum / double(logs.size()))) / std::log(10.0);
}

/// The same points with coordinates of 53 bits.
std::vector<LTilingPoint<double>> rounded(const Embedding& embedding) {
  std::vector<LTilingPoint<double>> points;
  points.reserve(embedding.size());
  for (const auto& x : embedding) points.push_back({x.tile, {x.u[0].limb[0], x.u[1].limb[0]}});
  return points;
}

}  // namespace

Embedding embed_tree(const embed::Tree& tree, double edge_length) {
  output::ProgressBar bar("embed", tree.size(), "nodes");
  const LTiling<f64x2> plane;
  return embed::sarkar_embedding(plane, tree, f64x2(edge_length),
                                 [&](std::size_t done) { bar.update(done, tree.size()); });
}

Compressed compressed(const Embedding& embedding, TileEncoding encoding, CoordinateBits bits) {
  const auto points = rounded(embedding);
  Compressed r;
  output::ProgressBar bar("compress", 2 * points.size(), "points");
  r.file = geometry::compress_points(points, encoding, bits, &r.parts, [&](std::size_t done) {
    bar.update(done, 2 * points.size());
  });
  const auto back = geometry::decompress_points(
      r.file, [&](std::size_t done) { bar.update(points.size() + done, 2 * points.size()); });
  bar.finish();
  r.errors = errors_of(embedding, back);
  return r;
}

void save_compressed(const std::filesystem::path& path, const Compressed& compressed,
                     std::size_t points) {
  const auto& file = compressed.file;
  write_file_atomically(path, {reinterpret_cast<const char*>(file.data()), file.size()});
  fmt::print("{}: {} points, {} bytes ({} tiles, {} coordinates), {:.1f} bits a point\n",
             path.string(), points, file.size(), compressed.parts.tile_bytes,
             compressed.parts.coordinate_bytes, double(file.size()) * 8 / double(points));
  fmt::print("mean squared hyperbolic error {:.3e} (root {:.3e}), largest error {:.3e}\n",
             compressed.errors.mean_square, std::sqrt(compressed.errors.mean_square),
             compressed.errors.largest);
}

Errors errors_of(const Embedding& original, const std::vector<LTilingPoint<double>>& points) {
  const LTiling<f64x2> plane;
  Errors errors{0, 0};
  for (std::size_t i = 0; i < original.size(); ++i) {
    // if the tile is the same, as it must be, both points are moved to the first tile
    const bool same = original[i].tile == points[i].tile;
    const geometry::LTile none;
    const LTilingPoint<f64x2> x{same ? none : original[i].tile, original[i].u};
    const LTilingPoint<f64x2> y{same ? none : points[i].tile,
                                {f64x2(points[i].u[0]), f64x2(points[i].u[1])}};
    const double d = plane.dist(x, y).limb[0];
    errors.mean_square += d * d / double(original.size());
    errors.largest = std::max(errors.largest, d);
  }
  return errors;
}

TextSize text_at_error(const Embedding& embedding, double mean_square) {
  // a coordinate rounded to D decimals is off by 10^-D / sqrt(12) in the mean
  const double wanted = std::log10(std::max(mean_square, 1e-40));
  const double decimals = (log10_mean_square_factor(embedding) + std::log10(2.0 / 12) - wanted) / 2;
  const int whole = std::max(1, int(std::ceil(decimals)));
  return {whole, text_bytes(embedding, whole)};
}

TextSize published_text(const Embedding& embedding) {
  constexpr int decimals = 2469;  // 8200 log10(2), rounded up
  return {decimals, text_bytes(embedding, decimals)};
}

std::string format_table(const Embedding& embedding, double original_bytes) {
  const auto points = rounded(embedding);
  const double nodes = double(points.size());
  constexpr std::size_t work = std::size(encodings);
  output::ProgressBar bar("measure", 2 * work * points.size(), "points");
  std::size_t finished = 0;
  const auto progress = [&](std::size_t done) {
    bar.update(finished + done, 2 * work * points.size());
  };
  Errors errors[std::size(all_bits)];
  std::vector<geometry::CompressedParts> sizes;
  for (const TileEncoding encoding : encodings) {
    geometry::CompressedParts parts;
    const auto file =
        geometry::compress_points(points, encoding, CoordinateBits::f64, &parts, progress);
    finished += points.size();
    const auto back = geometry::decompress_points(file, progress);
    finished += points.size();
    errors[0] = errors_of(embedding, back);
    sizes.push_back(parts);
  }
  for (std::size_t i = 1; i < std::size(all_bits); ++i) {
    // the words have been checked: any encoding will do for the coordinates
    auto coordinates = points;
    for (auto& x : coordinates) x.tile = geometry::LTile();
    auto near = embedding;
    for (auto& x : near) x.tile = geometry::LTile();
    errors[i] = errors_of(near, geometry::decompress_points(geometry::compress_points(
                                    coordinates, TileEncoding::vbw, all_bits[i])));
  }
  bar.finish();

  std::string text = fmt::format(
      "{} points\n\nbits  root of MSHE  largest error  text of equal error: decimals, bytes\n",
      points.size());
  TextSize equal[std::size(all_bits)];
  for (std::size_t i = 0; i < std::size(all_bits); ++i) {
    equal[i] = text_at_error(embedding, errors[i].mean_square);
    text += fmt::format("{:4}  {:12.3e}  {:13.3e}  {:32}, {:.0f}\n", int(all_bits[i]),
                        std::sqrt(errors[i].mean_square), errors[i].largest, equal[i].decimals,
                        equal[i].bytes);
  }
  const TextSize published = published_text(embedding);
  text += fmt::format(
      "numbers of 8200 bits, as in the published experiment: {} decimals, {:.0f} bytes\n",
      published.decimals, published.bytes);
  if (original_bytes > 0) text += fmt::format("original file: {:.0f} bytes\n", original_bytes);
  text += fmt::format("\n{:12} {:>4} {:>12} {:>12} {:>10} {:>12} {:>12}{}\n", "encoding", "bits",
                      "tiles", "coordinates", "bits/point", "% equal err.", "% 8200 bits",
                      original_bytes > 0 ? "   % original" : "");
  for (std::size_t e = 0; e < std::size(encodings); ++e) {
    for (std::size_t i = 0; i < std::size(all_bits); ++i) {
      const double coordinates = nodes * double(int(all_bits[i])) / 4;
      const double all = double(sizes[e].tile_bytes) + coordinates + double(sizes[e].other_bytes);
      text += fmt::format("{:12} {:4} {:12} {:12.0f} {:10.1f} {:12.2f} {:12.2f}",
                          geometry::name_of(encodings[e]), int(all_bits[i]), sizes[e].tile_bytes,
                          coordinates, all * 8 / nodes, 100 * all / equal[i].bytes,
                          100 * all / published.bytes);
      if (original_bytes > 0) text += fmt::format(" {:12.2f}", 100 * all / original_bytes);
      text += '\n';
    }
  }
  return text;
}

}  // namespace mct::cli::compress
