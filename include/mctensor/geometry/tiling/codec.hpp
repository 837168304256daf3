// Stores embeddings in the hyperbolic plane in few bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "mctensor/base/names.hpp"
#include "mctensor/geometry/tiling/ltiling_point.hpp"

namespace mct::geometry {

/// How a tile is stored (Yu 2024, section 3.2.4; docs/tilings.md has the bits).
enum class TileEncoding : std::uint8_t {
  matrix,       // nine integers, each with its number of bytes
  matrix_vlq,   // nine integers, 7 bits a byte
  entries,      // Z_10 and Z_20, which determine the rest
  entries_vlq,  // the same, 7 bits a byte
  order,        // the word in the generators, a letter a byte
  vbw,          // the word in powers of generators, 2 or 3 bits each
  front,        // ours: sorted words; a word lacks the beginning that it shares with the word
                // before
};
inline constexpr Names<TileEncoding, 7> tile_encoding_names{{
    {TileEncoding::matrix, "matrix"},
    {TileEncoding::matrix_vlq, "matrix-vlq"},
    {TileEncoding::entries, "entries"},
    {TileEncoding::entries_vlq, "entries-vlq"},
    {TileEncoding::order, "order"},
    {TileEncoding::vbw, "vbw"},
    {TileEncoding::front, "front"},
}};
constexpr std::size_t tile_encoding_count = std::size(tile_encoding_names.all);

/// Bits of each of the two coordinates in the fundamental domain; 0: the center of the tile.
enum class CoordinateBits : std::uint8_t { none = 0, f16 = 16, f32 = 32, f64 = 64 };

inline std::string_view name_of(TileEncoding encoding) { return tile_encoding_names.of(encoding); }
/// The encoding of this name. Throws DomainError for any other name; the message lists all
/// encodings.
inline TileEncoding tile_encoding_from(std::string_view name) {
  return tile_encoding_names.value("no encoding", name);
}
/// The value for 0, 16, 32 or 64 bits. Throws DomainError for other numbers.
CoordinateBits coordinate_bits_from(int bits);

/// How many bytes each part takes.
struct CompressedParts {
  std::uint64_t tile_bytes = 0;
  std::uint64_t coordinate_bytes = 0;
  std::uint64_t other_bytes = 0;  // header and checksum
};

using CodecProgress = std::function<void(std::size_t points_done)>;

/// The points, in their order, as the content of a file: magic number, version, sizes, tiles,
/// coordinates, checksum. Coordinates are rounded to nearest; tiles are exact.
///
/// Throws DomainError, with the point's number, for points that decompress_points would refuse. A
/// point must lie in the fundamental domain. In the encodings of words, a tile may have at most
/// 2^20 letters or powers; in the other encodings, its integers must be below 2^20 bits. For
/// `front`, a tile of p powers counts p^1.5. The sum of these counts must not exceed 2^27 plus 4096
/// for each byte of the tiles.
std::vector<std::uint8_t> compress_points(std::span<const LTilingPoint<double>> points,
                                          TileEncoding encoding, CoordinateBits bits,
                                          CompressedParts* parts = nullptr,
                                          const CodecProgress& progress = {});

/// The inverse of compress_points. Throws IoError, with the point and the reason, for bytes that
/// compress_points does not write. It never allocates memory for more points than the bytes can
/// hold.
std::vector<LTilingPoint<double>> decompress_points(std::span<const std::uint8_t> file,
                                                    const CodecProgress& progress = {});

/// How many points a file has, as its header says; only decompress_points checks this number.
/// Throws IoError, as decompress_points, for a header that is wrong or does not fit the file's
/// size.
std::uint64_t compressed_point_count(std::span<const std::uint8_t> file);

/// The checksum (CRC-32 of IEEE 802.3) of a file without its last four bytes, which hold the
/// checksum.
std::uint32_t file_checksum(std::span<const std::uint8_t> file);

}  // namespace mct::geometry
