// Compressed embeddings: the file around the tiles and coordinates.
#include "mctensor/geometry/tiling/codec.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/crc.hpp>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"
#include "src/geometry/tiling/tile_codec.hpp"

namespace mct::geometry {
namespace {

using codec_detail::Reader;
using codec_detail::Writer;

constexpr std::array<std::uint8_t, 8> magic = {'M', 'C', 'T', 'T', 'I', 'L', 'E', 0x1A};
constexpr std::uint8_t version = 1;
// magic, version, encoding, bits, 0, number of points, bytes of tiles, bytes of coordinates
constexpr std::size_t header_bytes = 8 + 4 + 3 * 8;
constexpr std::size_t checksum_bytes = 4;

void write_coordinate(Writer& writer, double x, CoordinateBits bits) {
  switch (bits) {
    case CoordinateBits::f64:
      return writer.number(std::bit_cast<std::uint64_t>(x), 8);
    case CoordinateBits::f32:
      return writer.number(std::bit_cast<std::uint32_t>(float(x)), 4);
    case CoordinateBits::f16:
      return writer.number(half(x).bits(), 2);
    case CoordinateBits::none:
    default:
      return;
  }
}

double read_coordinate(Reader& reader, CoordinateBits bits) {
  switch (bits) {
    case CoordinateBits::f64:
      return std::bit_cast<double>(reader.number(8));
    case CoordinateBits::f32:
      return double(std::bit_cast<float>(std::uint32_t(reader.number(4))));
    case CoordinateBits::f16:
      return double(half::from_bits(std::uint16_t(reader.number(2))));
    case CoordinateBits::none:
    default:
      return 0;
  }
}

std::string text_of(const std::array<double, 2>& u) {
  return "(" + number_text(u[0]) + ", " + number_text(u[1]) +
         ") is outside the fundamental domain of its tile";
}

/// Coordinates are rounded, so they may be a little outside the domain; NaN is far outside.
bool near_domain(const std::array<double, 2>& u) {
  constexpr double farthest = 1.01;
  return domain_function(u) <= farthest;
}

/// The coordinates of all points. Throws DomainError for those that could not be read again.
Writer written_coordinates(std::span<const LTilingPoint<double>> points, CoordinateBits bits) {
  Writer coordinates;
  for (std::size_t i = 0; i < points.size(); ++i) {
    // rounding moves a point by less than this domain leaves
    constexpr double farthest = 1.004;
    if (!(domain_function(points[i].u) <= farthest))
      throw DomainError("point " + std::to_string(i) + ": " + text_of(points[i].u));
    for (const double u : points[i].u) write_coordinate(coordinates, u, bits);
  }
  return coordinates;
}

struct Header {
  TileEncoding encoding;
  CoordinateBits bits;
  std::uint64_t count;
  std::uint64_t tile_bytes;
  std::uint64_t coordinate_bytes;
};

/// The fewest bits that a tile can have: more points than fit are not believed.
std::uint64_t least_bits(TileEncoding encoding) {
  constexpr std::uint64_t byte = 8;
  switch (encoding) {
    case TileEncoding::matrix:
    case TileEncoding::matrix_vlq:
      return 9 * byte;
    case TileEncoding::entries:
    case TileEncoding::entries_vlq:
      return 2 * byte;
    case TileEncoding::order:
      return byte;
    case TileEncoding::vbw:
    case TileEncoding::front:
    default:
      return 4;
  }
}

Header read_header(std::span<const std::uint8_t> file) {
  if (file.size() < magic.size() || !std::equal(magic.begin(), magic.end(), file.begin()))
    throw IoError("this is not a compressed embedding: it does not begin with MCTTILE");
  if (file.size() < header_bytes + checksum_bytes)
    throw IoError("the file is cut off: it has " + std::to_string(file.size()) +
                  " bytes, its header alone needs " + std::to_string(header_bytes));
  Reader reader(file.subspan(magic.size()));
  if (const auto found = reader.byte(); found != version)
    throw IoError("the file has format version " + std::to_string(found) +
                  ", this program reads version " + std::to_string(version));
  const std::uint8_t encoding = reader.byte();
  const std::uint8_t bits = reader.byte();
  if (const auto reserved = reader.byte(); reserved != 0)
    throw IoError("the reserved byte of the header is " + std::to_string(reserved) +
                  ", expected 0");
  if (encoding >= tile_encoding_count || (bits != 0 && bits != 16 && bits != 32 && bits != 64))
    throw IoError("encoding " + std::to_string(encoding) + " with " + std::to_string(bits) +
                  " bits for each coordinate is unknown");
  Header header{TileEncoding(encoding), CoordinateBits(bits), reader.number(8), reader.number(8),
                reader.number(8)};
  const std::uint64_t content = file.size() - header_bytes - checksum_bytes;
  if (header.tile_bytes > content || header.coordinate_bytes != content - header.tile_bytes)
    throw IoError("the file is cut off or too long: it has " + std::to_string(content) +
                  " bytes of content, expected " + std::to_string(header.tile_bytes) +
                  " of tiles and " + std::to_string(header.coordinate_bytes) + " of coordinates");
  if (header.count > 8 * header.tile_bytes / least_bits(header.encoding) ||
      header.count * (std::uint64_t(bits) / 4) != header.coordinate_bytes)
    throw IoError(std::to_string(header.count) + " points do not fit into " +
                  std::to_string(header.tile_bytes) + " bytes of tiles and " +
                  std::to_string(header.coordinate_bytes) + " of coordinates");
  return header;
}

}  // namespace

CoordinateBits coordinate_bits_from(int bits) {
  if (bits != 0 && bits != 16 && bits != 32 && bits != 64)
    throw DomainError(std::to_string(bits) + " bits for each coordinate, expected 0, 16, 32 or 64");
  return CoordinateBits(bits);
}

std::uint32_t file_checksum(std::span<const std::uint8_t> file) {
  const std::size_t length = file.size() < checksum_bytes ? 0 : file.size() - checksum_bytes;
  boost::crc_32_type crc;
  crc.process_bytes(file.data(), length);
  return crc.checksum();
}

std::vector<std::uint8_t> compress_points(std::span<const LTilingPoint<double>> points,
                                          TileEncoding encoding, CoordinateBits bits,
                                          CompressedParts* parts, const CodecProgress& progress) {
  const Writer coordinates = written_coordinates(points, bits);
  Writer tiles;
  codec_detail::write_tiles(tiles, points, encoding, progress);

  Writer file;
  for (const std::uint8_t b : magic) file.byte(b);
  file.byte(version);
  file.byte(std::uint8_t(encoding));
  file.byte(std::uint8_t(bits));
  file.byte(0);
  file.number(points.size(), 8);
  file.number(tiles.content().size(), 8);
  file.number(coordinates.content().size(), 8);
  std::vector<std::uint8_t> bytes = file.content();
  bytes.insert(bytes.end(), tiles.content().begin(), tiles.content().end());
  bytes.insert(bytes.end(), coordinates.content().begin(), coordinates.content().end());
  bytes.insert(bytes.end(), checksum_bytes, 0);
  const std::uint32_t checksum = file_checksum(bytes);
  for (std::size_t i = 0; i < checksum_bytes; ++i)
    bytes[bytes.size() - checksum_bytes + i] = std::uint8_t(checksum >> (8 * i));
  if (parts != nullptr)
    *parts = {tiles.content().size(), coordinates.content().size(), header_bytes + checksum_bytes};
  return bytes;
}

std::uint64_t compressed_point_count(std::span<const std::uint8_t> file) {
  return read_header(file).count;
}

std::vector<LTilingPoint<double>> decompress_points(std::span<const std::uint8_t> file,
                                                    const CodecProgress& progress) {
  const Header header = read_header(file);
  if (Reader(file.last(checksum_bytes)).number(checksum_bytes) != file_checksum(file))
    throw IoError("the file is damaged: its checksum is wrong");
  const auto content = file.subspan(header_bytes);
  Reader tiles(content.first(std::size_t(header.tile_bytes)));
  Reader coordinates(
      content.subspan(std::size_t(header.tile_bytes), std::size_t(header.coordinate_bytes)));
  std::vector<LTilingPoint<double>> points(std::size_t(header.count));
  codec_detail::read_tiles(tiles, points, header.encoding, progress);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (double& u : points[i].u) u = read_coordinate(coordinates, header.bits);
    if (!near_domain(points[i].u))
      throw IoError("point " + std::to_string(i) + ": " + text_of(points[i].u));
  }
  return points;
}

}  // namespace mct::geometry
