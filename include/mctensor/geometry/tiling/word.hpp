// Tiles as words in the generators.
//
// Error: exact, these are words and whole numbers. Domain: every tile; anything else throws.
// Source: Yu 2024, lemma B.1.1.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mctensor/geometry/tiling/ltile.hpp"

namespace mct::geometry {

/// The power 1 to 5 of one generator. In a word, powers of a and b alternate.
struct Syllable {
  bool is_b;
  std::uint8_t power;
  friend bool operator==(const Syllable&, const Syllable&) = default;
};

/// The word that Algorithm 2 finds on its way from the center of a tile to the origin (Yu 2024,
/// lemma B.1.1): the tile is the product of its letters, and the word is the same for equal tiles.
/// A tile at distance d has at most 1 + 7 d letters.
///
/// Only the first column of the matrix is used. Big numbers are reduced some 25 bits at a time by
/// their leading digits; of two equally good letters the function may choose a different one than
/// with exact numbers.
std::vector<Generator> tile_word(const LTile& tile);

/// The tile whose first column is (t_00, t_10, t_20), from t_10 and t_20: t_00 is sqrt(1 + (t_10^2
/// + t_20^2) / 3). Throws DomainError if there is no such tile.
LTile tile_from_entries(const Integer& t10, const Integer& t20);

/// Brings any timelike column (x_0 / sqrt(3), x_1, x_2) 2^fixed_point with x_0 > 0, which stands
/// for a point of the hyperboloid, near the origin (x_0 < 2^9). Returns the tile of the old point:
/// the old point is the tile times the new one. This is exact, so it finds the tile of a point that
/// is known to many digits; reduce then makes the last step into the domain. fixed_point is at
/// least 64.
LTile reduce_column(std::array<Integer, 3>& column, std::int64_t fixed_point);

/// The product of the letters.
LTile tile_of(std::span<const Generator> word);
LTile tile_of(std::span<const Syllable> word);

/// Joins neighbouring letters of one generator: a a a^-1 is the power 1; a^6 is removed.
std::vector<Syllable> syllables_of(std::span<const Generator> word);

}  // namespace mct::geometry
