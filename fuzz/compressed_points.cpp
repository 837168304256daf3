// Compressed embeddings: what `mct decompress` reads.
#include <algorithm>
#include <fstream>
#include <vector>

#include "fuzz/target.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/tiling/codec.hpp"
#include "mctensor/geometry/tiling/word.hpp"

namespace mct::fuzz {
namespace {

using namespace mct::geometry;  // NOLINT(google-build-using-namespace)
using Bytes = std::vector<std::uint8_t>;
using Points = std::vector<LTilingPoint<double>>;

constexpr std::size_t encoding_at = 9;
constexpr std::size_t bits_at = 10;
constexpr std::size_t count_at = 12;
constexpr std::size_t tile_bytes_at = 20;
constexpr std::size_t coordinate_bytes_at = 28;
constexpr std::size_t header_bytes = 36;
constexpr std::size_t checksum_bytes = 4;

void put(Bytes& file, std::size_t at, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) file[at + i] = std::uint8_t(value >> (8 * i));
}

/// The file with the lengths and the checksum that belong to its other bytes, so that these are
/// looked at: no change at random keeps a checksum.
Bytes repaired(Bytes file) {
  if (file.size() < header_bytes + checksum_bytes) return file;
  std::uint64_t count = 0;
  for (std::size_t i = 8; i-- > 0;) count = count << 8 | file[count_at + i];
  const std::uint64_t content = file.size() - header_bytes - checksum_bytes;
  const std::uint64_t coordinates = std::min(count * (file[bits_at] / 4U), content);
  put(file, tile_bytes_at, content - coordinates, 8);
  put(file, coordinate_bytes_at, coordinates, 8);
  put(file, file.size() - checksum_bytes, file_checksum(file), checksum_bytes);
  return file;
}

bool same_points(const Points& x, const Points& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const auto& a, const auto& b) { return a.tile == b.tile && a.u == b.u; });
}

void read(const Bytes& file) {
  Points points;
  try {
    points = decompress_points(file);
  } catch (const IoError&) {
    return;
  }
  Bytes again;
  try {
    again = compress_points(points, TileEncoding(file[encoding_at]), CoordinateBits(file[bits_at]));
  } catch (const DomainError&) {
    return;  // a coordinate that is read, but would not be written
  }
  require(same_points(decompress_points(again), points), "points survive being written again");
}

Points some_points() {
  using enum Generator;
  Points points(5);
  points[1] = {tile_of(std::vector<Generator>{a, a, b, a_inverse}), {0.25, -0.5}};
  points[2] = {tile_of(std::vector<Generator>{a, a, b, a_inverse, b, b}), {-0.125, 0}};
  points[3] = {tile_of(std::vector<Generator>(40, b)), {0.5, 0.5}};
  std::vector<Generator> far;
  for (int i = 0; i < 30; ++i) far.insert(far.end(), {a, b_inverse, a});
  points[4] = {tile_of(far), {1e-3, 0.625}};
  return points;
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  const auto write = [&](const std::string& name, const Points& points, TileEncoding encoding,
                         CoordinateBits bits) {
    const Bytes bytes = compress_points(points, encoding, bits);
    std::ofstream(directory / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  };
  const CoordinateBits all_bits[] = {CoordinateBits::none, CoordinateBits::f16, CoordinateBits::f32,
                                     CoordinateBits::f64};
  for (std::size_t i = 0; i < tile_encoding_count; ++i) {
    const auto encoding = TileEncoding(i);
    write(std::string(name_of(encoding)), some_points(), encoding, all_bits[i % 4]);
  }
  write("front_f64", some_points(), TileEncoding::front, CoordinateBits::f64);
  write("none", {}, TileEncoding::front, CoordinateBits::f64);
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const mct::fuzz::Bytes file(data, data + size);
  mct::fuzz::read(file);
  mct::fuzz::read(mct::fuzz::repaired(file));
  return 0;
}
