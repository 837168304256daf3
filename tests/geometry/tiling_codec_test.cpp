// Words of tiles, and compressed embeddings: round trips and damaged files.
#include "mctensor/geometry/tiling/codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "mctensor/geometry/tiling/ltiling.hpp"
#include "mctensor/geometry/tiling/word.hpp"
#include "tests/files.hpp"

namespace mct::geometry {
namespace {

using testing::contains;
using testing::io_error_of;
using testing::message_of;

std::vector<Generator> random_letters(std::size_t count, std::mt19937_64& random) {
  std::vector<Generator> letters;
  for (std::size_t i = 0; i < count; ++i) letters.push_back(Generator(random() % 4));
  return letters;
}

/// Algorithm 2 in exact numbers, without the shortcut by leading digits.
std::vector<Generator> slow_word(const LTile& tile) {
  std::vector<Generator> word;
  LTile rest = tile;
  while (!(rest.entry(0, 0) == 1)) {
    const Integer& p = rest.entry(1, 0);
    const Integer& q = rest.entry(2, 0);
    const Integer a = p.sign() < 0 ? -p : p;
    const Integer b = q.sign() < 0 ? -q : q;
    Generator g;
    if (!(a < b)) {
      g = p.sign() < 0 ? Generator::a : Generator::b;
    } else {
      g = q.sign() < 0 ? Generator::b_inverse : Generator::a_inverse;
    }
    word.push_back(inverse(g));
    rest = LTile::of(g) * rest;
  }
  return word;
}

TEST(TilingWord, GivesTheTileBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    const auto letters = random_letters(std::size_t(random() % 600), random);
    const LTile tile = tile_of(std::span<const Generator>(letters));
    const auto word = tile_word(tile);
    EXPECT_EQ(tile_of(std::span<const Generator>(word)), tile);
    const auto powers = syllables_of(word);
    EXPECT_EQ(tile_of(std::span<const Syllable>(powers)), tile);
    for (std::size_t k = 0; k < powers.size(); ++k) {
      EXPECT_TRUE(powers[k].power >= 1 && powers[k].power <= 5);
      EXPECT_TRUE(k == 0 || powers[k].is_b != powers[k - 1].is_b);
    }
    // the letters of Algorithm 2, in its number of steps
    EXPECT_EQ(word.size(), slow_word(tile).size());
    const double d = std::log(2.0) * double(tile.entry(0, 0).bit_length() + 1);
    EXPECT_LE(double(word.size()), 1 + 7 * d);
    EXPECT_EQ(tile_from_entries(tile.entry(1, 0), tile.entry(2, 0)), tile);
    EXPECT_EQ(tile_of(std::span<const Syllable>(syllables_of(letters))), tile);
  }
  EXPECT_TRUE(tile_word(LTile()).empty());
}

TEST(TilingWord, RefusesOtherEntries) {
  const auto refuses = [](const Integer& p, const Integer& q) {
    return message_of<DomainError>([&] { tile_from_entries(p, q); }) != "";
  };
  EXPECT_TRUE(refuses(1, 0));
  EXPECT_TRUE(refuses(3, 3));
  EXPECT_FALSE(refuses(3, 0));
  // 1 + (p^2 + q^2) / 3 is a square, but the column is in no tile: a multiple would have to be
  int columns = 0;
  int tiles = 0;
  for (int p = -60; p <= 60; ++p) {
    for (int q = -60; q <= 60; ++q) {
      const int sum = 3 + p * p + q * q;
      const int root = int(std::lround(std::sqrt(sum / 3.0)));
      if (3 * root * root != sum) continue;
      ++columns;
      tiles += refuses(p, q) ? 0 : 1;
    }
  }
  EXPECT_GT(columns, 0);
  EXPECT_LE(tiles, columns);
  EXPECT_GT(tiles, 20);
}

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
      for (const auto& x : back) EXPECT_LE(std::fabs(x.u[0]), 1.001);
      ++read;
    } catch (const IoError& error) {
      EXPECT_STRNE(error.what(), "");
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read, 100);
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
