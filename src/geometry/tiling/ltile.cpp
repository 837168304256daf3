// The integer matrices of the L-tiling.
#include "mctensor/geometry/tiling/ltile.hpp"

#include <algorithm>
#include <cmath>

#include "mctensor/error.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/geometry/tiling/word.hpp"
#include "src/geometry/tiling/big_integer.hpp"
#include "src/geometry/tiling/instantiate.hpp"

namespace mct::geometry {
namespace {

using Entries = std::array<Integer, 9>;

/// Signature of the form: M = diag(3, -1, -1).
constexpr std::array<int, 3> form = {3, -1, -1};

/// The products of generators are the matrices that keep the form and are the word of their column:
/// others keep it, too, a quarter turn for instance.
bool is_product(const LTile& z) {
  if (z.entry(0, 0).sign() <= 0) return false;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const Integer value = Integer(3) * z.entry(0, i) * z.entry(0, j) -
                            z.entry(1, i) * z.entry(1, j) - z.entry(2, i) * z.entry(2, j);
      if (!(value == (i == j ? form[std::size_t(i)] : 0))) return false;
    }
  }
  try {
    return tile_of(std::span<const Generator>(tile_word(z))) == z;
  } catch (const DomainError&) {
    return false;
  }
}

}  // namespace

LTile::LTile() : entries_{1, 0, 0, 0, 1, 0, 0, 0, 1} {}

const LTile& LTile::of(Generator g) {
  static const std::array<LTile, 4> tiles = {from_valid_entries({2, 1, 0, 0, 0, -1, 3, 2, 0}),
                                             from_valid_entries({2, 0, -1, -3, 0, 2, 0, -1, 0}),
                                             from_valid_entries({2, -1, 0, 0, 0, -1, -3, 2, 0}),
                                             from_valid_entries({2, 0, 1, 3, 0, 2, 0, -1, 0})};
  return tiles[std::size_t(g)];
}

LTile LTile::from_entries(const Entries& entries) {
  LTile tile = from_valid_entries(entries);
  if (is_product(tile)) return tile;
  std::string text;
  for (const Integer& x : entries) text += (text.empty() ? "" : ", ") + shortened(x);
  throw DomainError("the matrix (" + text + ") is not a product of the generators of the L-tiling");
}

LTile operator*(const LTile& a, const LTile& b) {
  LTile r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r.entries_[LTile::place(i, j)] = dot(a.entry(i, 0), b.entry(0, j), a.entry(i, 1),
                                           b.entry(1, j), a.entry(i, 2), b.entry(2, j));
  return r;
}

LTile LTile::inverse() const {
  LTile r;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Integer& x = entry(j, i);
      Integer& y = r.entries_[place(i, j)];
      if ((i == 0) == (j == 0)) {
        y = x;
      } else {
        y = i == 0 ? -x.divided_by(3) : Integer(-3) * x;
      }
    }
  }
  return r;
}

bool LTile::is_small() const {
  return std::all_of(entries_.begin(), entries_.end(),
                     [](const Integer& x) { return x.is_small(); });
}

LTile relative(const LTile& from, const LTile& to) { return from.inverse() * to; }

namespace {

template <class V>
struct ComponentOf {
  using type = V;
};
template <class T, int N>
struct ComponentOf<Expansion<T, N>> {
  using type = T;
};

}  // namespace

template <class V>
ScaledTile<V> scaled(const LTile& tile) {
  // entries are below sqrt(3) times entry 00
  constexpr std::int64_t exact = FloatTraits<typename ComponentOf<V>::type>::p - 1;
  const std::int64_t bits = tile.entry(0, 0).bit_length();
  ScaledTile<V> r;
  r.exponent = bits <= exact ? 0 : bits;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r.entry[i][j] = tile.entry(i, j).scaled<V>(r.exponent);
  return r;
}

namespace {

/// from^-1 to by leading digits, with an error of 2^(8 - 53 N) before those cancel; false where too
/// many do.
template <int N>
bool leading_relative(const LTile& from, const LTile& to, ScaledTile<Expansion<double, N>>& r) {
  using W = Expansion<double, N>;
  const std::int64_t from_bits = from.entry(0, 0).bit_length();
  const std::int64_t to_bits = to.entry(0, 0).bit_length();
  static const W third = W(1) / W(3);
  W a[3][3];
  W b[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      a[i][j] = leading_value<N>(from.entry(i, j), from_bits);
      b[i][j] = leading_value<N>(to.entry(i, j), to_bits);
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      // M^-1 Z^T M
      const W time = a[0][i] * b[0][j];
      const W space = a[1][i] * b[1][j] + a[2][i] * b[2][j];
      r.entry[i][j] = i == 0 ? time - space * third : space - 3.0 * time;
    }
    if (!(r.entry[0][0].limb[0] > most_cancelled)) return false;
  }
  const int cancelled = -std::ilogb(r.entry[0][0].limb[0]) - 1;
  const double power = tiling_detail::power_of_two(cancelled);
  for (auto& row : r.entry)
    for (W& x : row) x = mct::detail::scale_limbs(x, power);
  r.exponent = from_bits + to_bits - cancelled;
  return true;
}

}  // namespace

template <class V>
ScaledTile<V> scaled_relative(const LTile& from, const LTile& to) {
  using Leading = typename LeadingOf<V>::type;
  if constexpr (!std::is_void_v<Leading>) {
    // products of more bits than 64 would be big numbers
    constexpr std::int64_t machine_word = 64;
    const std::int64_t bits = from.entry(0, 0).bit_length() + to.entry(0, 0).bit_length();
    ScaledTile<Leading> leading;
    if (bits > machine_word + 40 && leading_relative(from, to, leading)) {
      ScaledTile<V> r;
      r.exponent = leading.exponent;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r.entry[i][j] = rounded_leading<V>(leading.entry[i][j]);
      return r;
    }
  }
  return scaled<V>(relative(from, to));
}

#define MCT_INSTANTIATE(V)                        \
  template ScaledTile<V> scaled<V>(const LTile&); \
  template ScaledTile<V> scaled_relative<V>(const LTile&, const LTile&);
MCT_FOR_EACH_TILING_SCALAR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::geometry
