// Algorithm 2 on whole numbers.
#include "mctensor/geometry/tiling/word.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "mctensor/error.hpp"
#include "src/geometry/tiling/big_integer.hpp"

namespace mct::geometry {
namespace {

using Column = std::array<Integer, 3>;
using SmallColumn = std::array<std::int64_t, 3>;

/// As reducing_step of points: the generator that brings a column nearer to (1, 0, 0).
Generator reducing_step(const SmallColumn& c) {
  const std::int64_t a = std::abs(c[1]);
  const std::int64_t b = std::abs(c[2]);
  if (a >= b) return c[1] < 0 ? Generator::a : Generator::b;
  return c[2] < 0 ? Generator::b_inverse : Generator::a_inverse;
}

SmallColumn act(Generator g, const SmallColumn& c) {
  switch (g) {
    case Generator::a:
      return {2 * c[0] + c[1], -c[2], 3 * c[0] + 2 * c[1]};
    case Generator::b:
      return {2 * c[0] - c[1], -c[2], 2 * c[1] - 3 * c[0]};
    case Generator::a_inverse:
      return {2 * c[0] - c[2], 2 * c[2] - 3 * c[0], -c[1]};
    case Generator::b_inverse:
    default:
      return {2 * c[0] + c[2], 2 * c[2] + 3 * c[0], -c[1]};
  }
}

/// A matrix by its columns.
using SmallMatrix = std::array<SmallColumn, 3>;
constexpr SmallMatrix identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

void multiply_left(Generator g, SmallMatrix& m) {
  for (SmallColumn& c : m) c = act(g, c);
}

// leading parts of so many bits are reduced to so many, so that the cut-off part stays below 2^-8
// of them
constexpr std::int64_t leading = 60;
constexpr std::int64_t least = 35;

[[noreturn]] void fail() {
  throw DomainError("these three numbers are not the first column of the matrix of a tile");
}

/// Follows Algorithm 2 by the leading bits of a column, down to 2^goal or to the `least` bits of
/// them, and applies the steps to all of it. Returns the letters of the tile; none if no step
/// brings the column nearer to (1, 0, 0).
std::vector<Generator> reduce_leading(Column& c, std::int64_t goal) {
  const std::int64_t shift = std::max<std::int64_t>(0, c[0].bit_length() - leading);
  const std::int64_t small_goal =
      std::int64_t(1) << std::max(shift == 0 ? 0 : least, std::min(goal - shift, leading));
  SmallColumn t;
  for (std::size_t i = 0; i < 3; ++i) {
    // the others are below sqrt(3) c_0 in a tile
    if (c[i].bit_length() > c[0].bit_length() + 1) fail();
    t[i] = c[i].shifted(-shift).small();
  }
  SmallMatrix steps = identity;
  std::vector<Generator> word;
  while (t[0] > small_goal) {
    const Generator g = reducing_step(t);
    const SmallColumn next = act(g, t);
    if (next[0] >= t[0] || next[0] < 1) break;
    t = next;
    multiply_left(g, steps);
    word.push_back(inverse(g));
  }
  Column next;
  for (std::size_t i = 0; i < 3; ++i)
    next[i] = dot(steps[0][i], c[0], steps[1][i], c[1], steps[2][i], c[2]);
  c = next;
  return word;
}

void append(std::vector<Generator>& word, const std::vector<Generator>& part) {
  if (part.empty()) fail();
  word.insert(word.end(), part.begin(), part.end());
}

/// z c.
Column product_of(const LTile& z, const Column& c) {
  Column r;
  for (std::size_t i = 0; i < 3; ++i) {
    const int row = int(i);
    r[i] = dot(z.entry(row, 0), c[0], z.entry(row, 1), c[1], z.entry(row, 2), c[2]);
  }
  return r;
}

/// Reduces a column to little more than 2^goal, or to (1, 0, 0) where that is less, and returns the
/// letters of the tile. Half of many bits are taken off by the leading ones alone, as in fast
/// algorithms for the greatest common divisor (Schönhage), so that n bits take the time of a few
/// products of n bits.
std::vector<Generator> reduce_to(Column& c, std::int64_t goal) {
  constexpr std::int64_t many = 4096;
  constexpr std::int64_t margin = 64;  // the cut-off part stays far below the rest
  std::vector<Generator> word;
  for (std::int64_t bits = c[0].bit_length(); bits - goal > many; bits = c[0].bit_length()) {
    const std::int64_t off = (bits - goal) / 2;
    const std::int64_t shift = std::max<std::int64_t>(0, bits - 2 * off - margin);
    Column upper;
    for (std::size_t i = 0; i < 3; ++i) upper[i] = c[i].shifted(-shift);
    const auto part = reduce_to(upper, bits - off - shift);
    append(word, part);
    c = shift == 0 ? upper : product_of(tile_of(std::span<const Generator>(part)).inverse(), c);
    if (c[0].sign() <= 0 || c[0].bit_length() > bits - off / 2) fail();
  }
  while (c[0].bit_length() > goal + 1) {
    if (c[0].sign() <= 0) fail();
    append(word, reduce_leading(c, goal));
  }
  return word;
}

/// Reduces a column to (1, 0, 0) and returns the letters of its tile.
std::vector<Generator> word_of(Column c) {
  if (c[0].sign() <= 0) fail();
  std::vector<Generator> word = reduce_to(c, 0);
  if (!(c[0] == 1) || c[1].sign() != 0 || c[2].sign() != 0) fail();
  return word;
}

/// Multiplies by a letter or a power of one.
void multiply_left(Syllable s, SmallMatrix& m) {
  const Generator forward = s.is_b ? Generator::b : Generator::a;
  const bool back = s.power > 3;
  for (int i = 0; i < (back ? 6 - s.power : s.power); ++i)
    multiply_left(back ? inverse(forward) : forward, m);
}

template <class Letter>
LTile product(std::span<const Letter> word) {
  // a letter or power multiplies entries by less than 10: so many stay below 10^16
  constexpr std::size_t few = 16;
  if (word.size() > few) {
    // halves are of equal size, so that big factors meet big ones
    const std::size_t middle = word.size() / 2;
    return product(word.first(middle)) * product(word.subspan(middle));
  }
  SmallMatrix m = identity;
  for (std::size_t i = word.size(); i-- > 0;) multiply_left(word[i], m);
  std::array<Integer, 9> entries;
  for (std::size_t i = 0; i < 9; ++i) entries[i] = m[i % 3][i / 3];
  return LTile::from_valid_entries(entries);
}

}  // namespace

std::vector<Generator> tile_word(const LTile& tile) {
  return word_of({tile.entry(0, 0), tile.entry(1, 0), tile.entry(2, 0)});
}

LTile reduce_column(std::array<Integer, 3>& column, std::int64_t fixed_point) {
  // 2^8 / sqrt(3): the leading bits below still say where the point is
  const std::int64_t goal = fixed_point + 7;
  return tile_of(std::span<const Generator>(reduce_to(column, goal)));
}

LTile tile_from_entries(const Integer& t10, const Integer& t20) {
  const auto refuse = [&] {
    throw DomainError("no tile has the entries " + shortened(t10) + " and " + shortened(t20));
  };
  const Integer sum = dot(t10, t10, t20, t20, 3, 1);
  // the cheap test before the root
  if (sum.remainder(3) != 0) refuse();
  const Integer t00 = sum.divided_by(3).square_root();
  if (!(Integer(3) * t00 * t00 == sum)) refuse();
  return tile_of(word_of({t00, t10, t20}));
}

LTile tile_of(std::span<const Generator> word) { return product(word); }

LTile tile_of(std::span<const Syllable> word) { return product(word); }

std::vector<Syllable> syllables_of(std::span<const Generator> word) {
  std::vector<Syllable> r;
  for (const Generator g : word) {
    const bool is_b = g == Generator::b || g == Generator::b_inverse;
    const int power = g == inverse(Generator::a) || g == inverse(Generator::b) ? 5 : 1;
    if (r.empty() || r.back().is_b != is_b) {
      r.push_back({is_b, std::uint8_t(power)});
      continue;
    }
    r.back().power = std::uint8_t((r.back().power + power) % 6);
    if (r.back().power == 0) r.pop_back();
  }
  return r;
}

}  // namespace mct::geometry
