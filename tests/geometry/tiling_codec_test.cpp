// Compressed embeddings: round trips and damaged files.
#include "mctensor/geometry/tiling/codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <ctime>
#include <random>
#include <string>

#include "mctensor/geometry/tiling/ltiling.hpp"
#include "mctensor/geometry/tiling/word.hpp"
#include "tests/files.hpp"
#include "tests/geometry/tiling_letters.hpp"

namespace mct::geometry {
namespace {

using testing::contains;
using testing::io_error_of;
using testing::message_of;

std::vector<LTilingPoint<double>> random_points(std::size_t count, std::mt19937_64& random) {
  std::vector<LTilingPoint<double>> points;
  std::uniform_real_distribution<double> coordinate(-1, 1);
  for (std::size_t i = 0; i < count; ++i) {
    // some hang on others, so that words begin alike
    LTile tile = i > 0 && i % 3 != 0 ? points[random() % i].tile : LTile();
    const auto letters = random_letters(std::size_t(random() % 80), random);
    LTilingPoint<double> x{tile * tile_of(std::span<const Generator>(letters)), {}};
    do {
      x.u = {coordinate(random), coordinate(random)};
    } while (!in_domain(x.u));
    points.push_back(x);
  }
  return points;
}

const std::vector<TileEncoding> encodings = {TileEncoding::matrix,  TileEncoding::matrix_vlq,
                                             TileEncoding::entries, TileEncoding::entries_vlq,
                                             TileEncoding::order,   TileEncoding::vbw,
                                             TileEncoding::front};
const std::vector<CoordinateBits> all_bits = {CoordinateBits::none, CoordinateBits::f16,
                                              CoordinateBits::f32, CoordinateBits::f64};

TEST(TilingCodec, RoundTrips) {
  std::mt19937_64 random(2);
  for (const std::size_t count : {0, 1, 2, 100}) {
    const auto points = random_points(count, random);
    for (const TileEncoding encoding : encodings) {
      for (const CoordinateBits bits : all_bits) {
        CompressedParts parts;
        std::size_t told = 0;
        const auto file =
            compress_points(points, encoding, bits, &parts, [&](std::size_t done) { told = done; });
        EXPECT_EQ(told, count);
        EXPECT_EQ(parts.tile_bytes + parts.coordinate_bytes + parts.other_bytes, file.size());
        EXPECT_EQ(parts.coordinate_bytes, count * std::size_t(bits) / 4);
        const auto back = decompress_points(file);
        ASSERT_EQ(back.size(), count);
        const double error = bits == CoordinateBits::none  ? 1
                             : bits == CoordinateBits::f16 ? 0x1p-12
                             : bits == CoordinateBits::f32 ? 0x1p-25
                                                           : 0;
        for (std::size_t i = 0; i < count; ++i) {
          EXPECT_EQ(back[i].tile, points[i].tile) << name_of(encoding);
          for (std::size_t k = 0; k < 2; ++k)
            EXPECT_LE(std::fabs(back[i].u[k] - points[i].u[k]), error);
        }
      }
    }
  }
}

/// Each encoding is smaller than the one it improves on.
TEST(TilingCodec, Sizes) {
  std::mt19937_64 random(3);
  const auto points = random_points(300, random);
  std::vector<std::uint64_t> bytes;
  for (const TileEncoding encoding : encodings) {
    CompressedParts parts;
    compress_points(points, encoding, CoordinateBits::none, &parts);
    bytes.push_back(parts.tile_bytes);
  }
  EXPECT_LT(3 * bytes[2], bytes[0]) << "entries, matrix";
  EXPECT_LT(bytes[5], bytes[4]) << "vbw, order";
  EXPECT_LT(bytes[5], bytes[2]) << "vbw, entries";
  EXPECT_LT(bytes[6], bytes[5]) << "front, vbw";
}

TEST(TilingCodec, BitsOfTheCodeTable) {
  // a b^2 a^3 b^4 a^5: 0 10 001 010 011 11 000
  const std::vector<Syllable> word = {{false, 1}, {true, 2}, {false, 3}, {true, 4}, {false, 5}};
  const LTile tile = tile_of(std::span<const Syllable>(word));
  ASSERT_EQ(syllables_of(tile_word(tile)), word);
  const std::vector<LTilingPoint<double>> points = {{tile, {0, 0}}};
  const auto file = compress_points(points, TileEncoding::vbw, CoordinateBits::none);
  ASSERT_EQ(file.size(), 36u + 3 + 4);
  EXPECT_EQ(file[36], 0b01000101);
  EXPECT_EQ(file[37], 0b00111100);
  EXPECT_EQ(file[38], 0);
}

void fix_checksum(std::vector<std::uint8_t>& file) {
  const std::uint32_t sum = file_checksum(file);
  for (std::size_t i = 0; i < 4 && file.size() >= 4; ++i)
    file[file.size() - 4 + i] = std::uint8_t(sum >> (8 * i));
}

TEST(TilingCodec, ChecksumIsTheCommonOne) {
  // the check value of CRC-32: of "123456789", and four bytes that do not count
  const std::string text = "123456789....";
  EXPECT_EQ(file_checksum({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}),
            0xCBF43926U);
}

TEST(TilingCodec, DamageIsFound) {
  std::mt19937_64 random(4);
  const auto points = random_points(20, random);
  for (const TileEncoding encoding : encodings) {
    const auto file = compress_points(points, encoding, CoordinateBits::f16);
    for (std::size_t length = 0; length < file.size(); length += 1 + length / 20) {
      const auto message = io_error_of([&] { decompress_points(std::span(file).first(length)); });
      EXPECT_TRUE(length < 8 || contains(message, "cut off")) << message;
    }
    for (int i = 0; i < 200; ++i) {
      auto damaged = file;
      damaged[random() % file.size()] ^= std::uint8_t(1U << random() % 8);
      io_error_of([&] { decompress_points(damaged); });
    }
  }
  EXPECT_TRUE(contains(io_error_of([] { decompress_points({}); }), "MCTTILE"));
}

/// Whatever the bytes, with a checksum that fits: an IoError or points, never anything else.
TEST(TilingCodec, AnyContentIsReadOrRefused) {
  std::mt19937_64 random(5);
  const auto points = random_points(12, random);
  int refused = 0;
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    const TileEncoding encoding = encodings[random() % encodings.size()];
    auto file = compress_points(points, encoding, all_bits[random() % 4]);
    const std::size_t changes = 1 + random() % 4;
    for (std::size_t k = 0; k < changes; ++k) {
      switch (random() % 3) {
        case 0:
          file[random() % file.size()] ^= std::uint8_t(1U << random() % 8);
          break;
        case 1:
          file[random() % file.size()] = std::uint8_t(random());
          break;
        default: {
          // bytes go or come, and the header says so
          const std::size_t at = 36 + random() % (file.size() - 40);
          const bool shorter = random() % 2 == 0;
          if (shorter) {
            file.erase(file.begin() + std::ptrdiff_t(at));
          } else {
            file.insert(file.begin() + std::ptrdiff_t(at), std::uint8_t(random()));
          }
          std::uint64_t tiles = 0;
          for (std::size_t b = 0; b < 8; ++b) tiles |= std::uint64_t(file[20 + b]) << (8 * b);
          tiles += shorter ? std::uint64_t(-1) : 1;
          for (std::size_t b = 0; b < 8; ++b) file[20 + b] = std::uint8_t(tiles >> (8 * b));
        }
      }
    }
    fix_checksum(file);
    try {
      const auto back = decompress_points(file);
      for (const auto& x : back) EXPECT_LE(domain_function(x.u), 1.01);
      ++read;
    } catch (const IoError& error) {
      EXPECT_STRNE(error.what(), "");
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read, 100);
}

/// Powers of a g_b^-1, whose numbers grow with every letter (those of g_a g_b do not).
LTile long_tile(std::size_t powers) {
  std::vector<Syllable> word;
  for (std::size_t i = 0; i < powers; ++i)
    word.push_back({i % 2 != 0, std::uint8_t(i % 2 != 0 ? 5 : 1)});
  return tile_of(std::span<const Syllable>(word));
}

TEST(TilingCodec, RefusesPointsThatCouldNotBeReadAgain) {
  const auto message = [](const LTilingPoint<double>& x, TileEncoding encoding) {
    const std::vector<LTilingPoint<double>> points = {{}, x};
    const auto text =
        message_of<DomainError>([&] { compress_points(points, encoding, CoordinateBits::none); });
    EXPECT_TRUE(text.empty() || contains(text, "point 1: ")) << text;
    return text;
  };
  for (const std::array<double, 2> u :
       {std::array<double, 2>{NAN, 0}, {0, NAN}, {0, 0.8}, {1.1, 1.1}, {INFINITY, INFINITY}})
    EXPECT_TRUE(contains(message({LTile(), u}, TileEncoding::vbw), "outside the fundamental"));
  EXPECT_EQ(message({LTile(), {1, -1}}, TileEncoding::vbw), "");
  LTile far = long_tile(1000);
  while (far.entry(0, 0).bit_length() < (1 << 20)) far = far * far;
  EXPECT_TRUE(contains(message({far, {0, 0}}, TileEncoding::entries), "has an integer of"));
}

/// The same of files: with a checksum that fits.
TEST(TilingCodec, ContentIsChecked) {
  const std::vector<LTilingPoint<double>> points = {{long_tile(2), {0.1, 0.2}}};
  const auto file = compress_points(points, TileEncoding::vbw, CoordinateBits::f64);
  const auto message = [](std::vector<std::uint8_t> damaged) {
    fix_checksum(damaged);
    return io_error_of([&] { decompress_points(damaged); });
  };
  auto damaged = file;
  damaged[11] = 1;
  EXPECT_TRUE(contains(message(damaged), "reserved byte"));
  // 0 10 10 000: all of a byte; with another power, 6 bits of the next are free
  const std::vector<LTilingPoint<double>> three = {{long_tile(3), {0.1, 0.2}}};
  damaged = compress_points(three, TileEncoding::vbw, CoordinateBits::f64);
  damaged[37] ^= 1U;
  EXPECT_TRUE(contains(message(damaged), "bits are left over"));
  // (0, 0.8): in the square, outside the domain
  damaged = file;
  for (std::size_t i = 0; i < 16; ++i) damaged[37 + i] = 0;
  const auto bits = std::bit_cast<std::uint64_t>(0.8);
  for (std::size_t i = 0; i < 8; ++i) damaged[45 + i] = std::uint8_t(bits >> (8 * i));
  EXPECT_TRUE(contains(message(damaged), "point 0: (0, 0.8) is outside"));
}

/// A file of nothing but tiles, without coordinates.
std::vector<std::uint8_t> file_of(TileEncoding encoding, std::uint64_t count,
                                  const std::vector<std::uint8_t>& tiles) {
  auto file = compress_points({}, encoding, CoordinateBits::none);
  file.insert(file.end() - 4, tiles.begin(), tiles.end());
  for (std::size_t i = 0; i < 8; ++i) {
    file[12 + i] = std::uint8_t(count >> (8 * i));
    file[20 + i] = std::uint8_t(std::uint64_t(tiles.size()) >> (8 * i));
  }
  fix_checksum(file);
  return file;
}

/// Small files that would take much memory or time.
TEST(TilingCodec, HostileFilesAreRefusedSoon) {
  const std::vector<std::uint8_t> digits(200000, 0xFF);
  EXPECT_TRUE(contains(
      io_error_of([&] { decompress_points(file_of(TileEncoding::entries_vlq, 1, digits)); }),
      "point 0: an integer of more than 1048576 bits"));
  std::vector<std::uint8_t> number = {0x80, 0xB5, 0x18};  // 2 * 200000
  for (const auto digit : digits) number.push_back(digit);
  number.push_back(0);
  EXPECT_TRUE(
      contains(io_error_of([&] { decompress_points(file_of(TileEncoding::entries, 1, number)); }),
               "point 0: an integer of more than 1048576 bits"));
}

/// A file of `front`: a word of many powers, then words of so many powers more than the one before.
std::vector<std::uint8_t> front_file(std::uint64_t points, int first, int later) {
  std::vector<std::uint8_t> tiles;
  std::size_t count = 0;
  const auto put = [&](std::uint64_t value, int bits) {
    for (int i = bits - 1; i >= 0; --i, ++count) {
      if (count % 8 == 0) tiles.push_back(0);
      tiles.back() = std::uint8_t(tiles.back() | (value >> i & 1) << (7 - count % 8));
    }
  };
  for (std::uint64_t i = 0; i < points; ++i) {
    put(i, std::bit_width(points - 1));
    put(1, 1);              // nothing is dropped
    if (i == 0) put(0, 1);  // begins with a
    for (int k = 0; k < (i == 0 ? first : later); ++k) put(k % 2 == 0 ? 0b10 : 0b11, 2);
    put(0, 3);
  }
  return file_of(TileEncoding::front, points, tiles);
}

/// What `front` asks for is limited: 8000 words of 20000 powers and more in 24 kB. Equal words are
/// one tile.
TEST(TilingCodec, FrontHasABudget) {
  const auto hostile = front_file(8000, 20000, 1);
  EXPECT_LT(hostile.size(), 25000u);
  EXPECT_TRUE(contains(io_error_of([&] { decompress_points(hostile); }), "takes more than"));
  const auto points = decompress_points(front_file(8000, 20000, 0));
  ASSERT_EQ(points.size(), 8000u);
  EXPECT_EQ(points[7999].tile, long_tile(20000));
  EXPECT_EQ(&points[7999].tile.entry(0, 0).big(), &points[0].tile.entry(0, 0).big());
}

/// Integers and words as long as files may have them take the time of products: the reduction of
/// columns and roots were quadratic, half a minute for 130 kB.
TEST(TilingCodec, LongNumbersTakeTheTimeOfProducts) {
  const auto seconds = [](const auto& work) {
    const std::clock_t start = std::clock();
    work();
    return double(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const LTile far = long_tile(200000);
  // ten times what it takes; a product, so that it holds in an emulator too
  const double bound = 60 * seconds([&] { EXPECT_NE(far * far, far); });
  for (const TileEncoding encoding : {TileEncoding::matrix, TileEncoding::entries}) {
    const std::vector<LTilingPoint<double>> points = {{far, {0.1, 0.2}}};
    const auto file = compress_points(points, encoding, CoordinateBits::f64);
    EXPECT_LT(seconds([&] { EXPECT_EQ(decompress_points(file)[0].tile, far); }), bound)
        << name_of(encoding);
  }
  // the last words share all but one power: 60 of 2^19 powers in 160 kB
  const auto hostile = front_file(60, 1 << 19, 1);
  EXPECT_LT(
      seconds([&] {
        EXPECT_TRUE(contains(io_error_of([&] { decompress_points(hostile); }), "takes more than"));
      }),
      bound);
}

TEST(TilingCodec, PointsAreCountedByTheHeader) {
  const auto file = front_file(300, 20, 1);
  EXPECT_EQ(compressed_point_count(file), 300u);
  EXPECT_TRUE(
      contains(io_error_of([&] { compressed_point_count(std::span(file).first(30)); }), "cut off"));
  auto many = file;
  many[14] = 1;  // 2^16 points more
  EXPECT_TRUE(contains(io_error_of([&] { compressed_point_count(many); }), "do not fit"));
}

TEST(TilingCodec, Names) {
  for (const TileEncoding encoding : encodings)
    EXPECT_EQ(tile_encoding_from(name_of(encoding)), encoding);
  EXPECT_TRUE(contains(message_of<DomainError>([] { tile_encoding_from("zip"); }),
                       "no encoding 'zip'; there are matrix, "));
  EXPECT_EQ(coordinate_bits_from(16), CoordinateBits::f16);
  EXPECT_TRUE(contains(message_of<DomainError>([] { coordinate_bits_from(8); }), "8 bits"));
}

}  // namespace
}  // namespace mct::geometry
