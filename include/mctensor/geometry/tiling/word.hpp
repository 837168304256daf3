// Tiles as words, which are products of generators.
//
// Error: exact, because words and tiles consist of whole numbers. Domain: every tile; anything else
// throws. Source: Yu 2024, lemma B.1.1.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mctensor/geometry/tiling/ltile.hpp"

namespace mct::geometry {

/// A power from 1 to 5 of one generator. In a word, powers of a and b alternate.
struct Syllable {
  bool is_b;
  std::uint8_t power;
  friend bool operator==(const Syllable&, const Syllable&) = default;
};

/// The word of letters (generators) that Algorithm 2 finds on its way from the center of a tile to
/// the origin (Yu 2024, lemma B.1.1). The tile is the product of the letters. Equal tiles have the
/// same word. A tile at distance d has at most 1 + 7 d letters.
///
/// Only the first column of the matrix is used. Big numbers are reduced some 25 bits at a time, by
/// their leading digits. So if two letters are equally good, the choice may differ from the choice
/// with exact numbers.
std::vector<Generator> tile_word(const LTile& tile);

/// The tile whose first column is (t_00, t_10, t_20), where t_00 is sqrt(1 + (t_10^2 + t_20^2) /
/// 3). Throws DomainError if there is no such tile.
LTile tile_from_entries(const Integer& t10, const Integer& t20);

/// Moves a point of the hyperboloid near the origin. The column (x_0 / sqrt(3), x_1, x_2)
/// 2^fixed_point stands for the point; it may be any timelike column with x_0 > 0. Afterwards x_0 <
/// 2^9. Returns a tile: the old point is this tile times the new point. The function is exact, so
/// it finds the tile of a point with many known digits; reduce then makes the last step into the
/// domain F. fixed_point must be at least 64.
LTile reduce_column(std::array<Integer, 3>& column, std::int64_t fixed_point);

/// The tile that is the product of the letters.
LTile tile_of(std::span<const Generator> word);
LTile tile_of(std::span<const Syllable> word);

/// Joins neighbouring letters of one generator: a a a^-1 becomes the power 1, and a^6 is removed.
std::vector<Syllable> syllables_of(std::span<const Generator> word);

}  // namespace mct::geometry
