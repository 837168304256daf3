// Algorithm 2 on whole numbers.
#include "mctensor/geometry/tiling/word.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "mctensor/error.hpp"

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

/// Reduces a column to (1, 0, 0) and returns the letters of its tile.
std::vector<Generator> word_of(Column c) {
  // leading parts of so many bits are reduced to so many: what was cut off stays below 2^-8 of them
  constexpr std::int64_t leading = 60;
  constexpr std::int64_t least = 35;
  std::vector<Generator> word;
  while (!(c[0] == 1)) {
    const std::int64_t shift = std::max<std::int64_t>(0, c[0].bit_length() - leading);
    const std::int64_t goal = shift == 0 ? 1 : std::int64_t(1) << least;
    SmallColumn t;
    for (std::size_t i = 0; i < 3; ++i) {
      // the others are below sqrt(3) c_0 in a tile
      if (c[i].bit_length() > c[0].bit_length() + 1) throw DomainError("not the column of a tile");
      t[i] = c[i].shifted(-shift).small();
    }
    LTile steps;
    const std::size_t before = word.size();
    while (t[0] > goal) {
      const Generator g = reducing_step(t);
      const SmallColumn next = act(g, t);
      if (next[0] >= t[0] || next[0] < 1) break;
      t = next;
      steps = LTile::of(g) * steps;
      word.push_back(inverse(g));
    }
    if (word.size() == before) throw DomainError("not the column of a tile");
    Column next;
    for (int i = 0; i < 3; ++i)
      next[std::size_t(i)] =
          dot(steps.entry(i, 0), c[0], steps.entry(i, 1), c[1], steps.entry(i, 2), c[2]);
    c = next;
  }
  if (c[1].sign() != 0 || c[2].sign() != 0) throw DomainError("not the column of a tile");
  return word;
}

template <class Letter>
LTile product(std::span<const Letter> word, const auto& tile_of_letter) {
  // halves are of equal size, so that big factors meet big ones
  constexpr std::size_t few = 16;
  if (word.size() > few) {
    const std::size_t middle = word.size() / 2;
    return product<Letter>(word.first(middle), tile_of_letter) *
           product<Letter>(word.subspan(middle), tile_of_letter);
  }
  LTile r;
  for (const Letter& letter : word) r = r * tile_of_letter(letter);
  return r;
}

}  // namespace

std::vector<Generator> tile_word(const LTile& tile) {
  return word_of({tile.entry(0, 0), tile.entry(1, 0), tile.entry(2, 0)});
}

LTile tile_from_entries(const Integer& t10, const Integer& t20) {
  const Integer sum = dot(t10, t10, t20, t20, 3, 1);
  const Integer t00 = sum.divided_by(3).square_root();
  if (!(Integer(3) * t00 * t00 == sum)) {
    constexpr std::size_t shown = 30;
    throw DomainError("no tile has the entries " + t10.to_string().substr(0, shown) + " and " +
                      t20.to_string().substr(0, shown));
  }
  return tile_of(word_of({t00, t10, t20}));
}

LTile tile_of(std::span<const Generator> word) {
  return product<Generator>(word, [](Generator g) -> const LTile& { return LTile::of(g); });
}

LTile tile_of(std::span<const Syllable> word) {
  static const auto powers = [] {
    std::array<std::array<LTile, 6>, 2> p;
    for (std::size_t i = 1; i < 6; ++i) {
      p[0][i] = p[0][i - 1] * LTile::of(Generator::a);
      p[1][i] = p[1][i - 1] * LTile::of(Generator::b);
    }
    return p;
  }();
  return product<Syllable>(
      word, [](Syllable s) -> const LTile& { return powers[s.is_b ? 1 : 0][s.power % 6]; });
}

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
