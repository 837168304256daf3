// Words of tiles: there and back.
#include "mctensor/geometry/tiling/word.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mctensor/error.hpp"
#include "tests/files.hpp"
#include "tests/geometry/tiling_letters.hpp"

namespace mct::geometry {
namespace {

using testing::contains;
using testing::message_of;

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

/// Beyond 4096 bits, where the upper half of a column is reduced first.
TEST(TilingWord, OfLongNumbers) {
  std::mt19937_64 random(9);
  for (const std::size_t count : {16000, 24000}) {
    const auto letters = random_letters(count, random);
    const LTile tile = tile_of(std::span<const Generator>(letters));
    ASSERT_GT(tile.entry(0, 0).bit_length(), 8192);
    const auto word = tile_word(tile);
    EXPECT_EQ(tile_of(std::span<const Generator>(word)), tile);
    EXPECT_EQ(syllables_of(word), syllables_of(slow_word(tile)));
    EXPECT_EQ(tile_from_entries(tile.entry(1, 0), tile.entry(2, 0)), tile);
    // one bit elsewhere: no tile
    const Integer wrong = tile.entry(1, 0) + Integer(3).shifted(5000);
    EXPECT_THROW(tile_from_entries(wrong, tile.entry(2, 0)), DomainError);
  }
}

/// A column in fixed point comes back near the origin, moved by the tile and nothing else.
TEST(TilingWord, ReduceColumnIsExact) {
  std::mt19937_64 random(6);
  for (const int far : {0, 1, 5, 100, 2000}) {
    const LTile tile =
        tile_of(std::span<const Generator>(random_letters(std::size_t(far), random)));
    const std::int64_t fixed = 2 * tile.entry(0, 0).bit_length() + 140;
    // a point of the domain: (x_0 / sqrt(3), x_1, x_2)
    const std::array<double, 3> x = {std::sqrt((1 + 0.05) / 3), 0.1, 0.2};
    std::array<Integer, 3> near;
    for (std::size_t i = 0; i < 3; ++i)
      near[i] = Integer::from_double(std::ldexp(x[i], 60)).shifted(fixed - 60);
    const auto times = [](const LTile& z, const std::array<Integer, 3>& c) {
      std::array<Integer, 3> r;
      for (int i = 0; i < 3; ++i)
        r[std::size_t(i)] = dot(z.entry(i, 0), c[0], z.entry(i, 1), c[1], z.entry(i, 2), c[2]);
      return r;
    };
    std::array<Integer, 3> column = times(tile, near);
    const auto moved = column;
    const LTile found = reduce_column(column, fixed);
    EXPECT_TRUE(times(found, column) == moved) << far;
    EXPECT_LE(column[0].bit_length(), fixed + 9) << far;
  }
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
  std::vector<std::string> tiles;
  for (int p = -60; p <= 60; ++p) {
    for (int q = -60; q <= 60; ++q) {
      const int sum = 3 + p * p + q * q;
      const int root = int(std::lround(std::sqrt(sum / 3.0)));
      if (3 * root * root != sum) continue;
      ++columns;
      if (refuses(p, q)) continue;
      const LTile tile = tile_from_entries(p, q);
      EXPECT_TRUE(tile.entry(1, 0) == p && tile.entry(2, 0) == q);
      std::string text;
      for (const Generator g : tile_word(tile)) text += char('0' + int(g));
      tiles.push_back(text);
    }
  }
  EXPECT_GE(std::size_t(columns), tiles.size());
  EXPECT_GT(tiles.size(), 20u);
  std::sort(tiles.begin(), tiles.end());
  EXPECT_EQ(std::adjacent_find(tiles.begin(), tiles.end()), tiles.end()) << "the same tile twice";
  EXPECT_TRUE(
      contains(message_of<DomainError>([] { tile_from_entries(Integer(1).shifted(5000), 0); }),
               "5001 bits"));
}

}  // namespace
}  // namespace mct::geometry
