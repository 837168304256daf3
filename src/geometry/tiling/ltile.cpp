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

/// The leading digits of a tile's entries, times 2^-bits of entry 00.
template <int N>
struct LeadingTile {
  Expansion<double, N> entry[3][3];
  std::int64_t bits;

  explicit LeadingTile(const LTile& tile) : bits(tile.entry(0, 0).bit_length()) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) entry[i][j] = leading_value<N>(tile.entry(i, j), bits);
  }
};

/// Row i of M^-1 Z^T M x.
template <int N>
Expansion<double, N> inverse_row(const LeadingTile<N>& z, int i, const Expansion<double, N>& x0,
                                 const Expansion<double, N>& x1, const Expansion<double, N>& x2) {
  using W = Expansion<double, N>;
  static const W third = W(1) / W(3);
  const W time = z.entry[0][i] * x0;
  const W space = z.entry[1][i] * x1 + z.entry[2][i] * x2;
  return i == 0 ? time - space * third : space - 3.0 * time;
}

/// Numbers 2^-exponent of which the first is 1 or more, from those of which it is `head`; false
/// where too many of their digits have cancelled.
template <class... X>
bool scale_up(double head, std::int64_t& exponent, X&... x) {
  if (!(head > most_cancelled)) return false;
  const int cancelled = -std::ilogb(head) - 1;
  const double power = tiling_detail::power_of_two(cancelled);
  ((x = mct::detail::scale_limbs(x, power)), ...);
  exponent -= cancelled;
  return true;
}

/// from^-1 to by leading digits, with an error of 2^(8 - 53 N) before those cancel; false where too
/// many do.
template <int N>
bool leading_relative(const LTile& from, const LTile& to, ScaledTile<Expansion<double, N>>& r) {
  const LeadingTile<N> a(from);
  const LeadingTile<N> b(to);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      r.entry[i][j] = inverse_row(a, i, b.entry[0][j], b.entry[1][j], b.entry[2][j]);
    if (!(r.entry[0][0].limb[0] > most_cancelled)) return false;
  }
  r.exponent = a.bits + b.bits;
  auto& z = r.entry;
  return scale_up(z[0][0].limb[0], r.exponent, z[0][0], z[0][1], z[0][2], z[1][0], z[1][1], z[1][2],
                  z[2][0], z[2][1], z[2][2]);
}

/// Products of entries of more bits than 64 would be big numbers.
bool is_far(const LTile& from, const LTile& to) {
  constexpr std::int64_t machine_word = 64;
  return from.entry(0, 0).bit_length() + to.entry(0, 0).bit_length() > machine_word + 40;
}

}  // namespace

template <class V>
bool leading_image(const LTile& from, const LTile& to, const std::array<V, 2>& u, V (&p)[3],
                   std::int64_t& exponent) {
  using W = typename LeadingOf<V>::type;
  if constexpr (!std::is_void_v<W>) {
    if (!is_far(from, to)) return false;
    constexpr int N = W::components;
    static const W root3 = sqrt(W(3));
    static const W inverse_root3 = W(1) / root3;
    const auto widened = [](const V& number) {
      if constexpr (is_expansion_v<V>) {
        return W(number);
      } else {
        return W(double(number));
      }
    };
    const W x = widened(u[0]);
    const W y = widened(u[1]);
    const W time = sqrt(W(1) + x * x + y * y) * inverse_root3;
    const LeadingTile<N> a(from);
    const LeadingTile<N> b(to);
    W t[3];
    for (int i = 0; i < 3; ++i) t[i] = b.entry[i][0] * time + b.entry[i][1] * x + b.entry[i][2] * y;
    W z[3];
    for (int i = 0; i < 3; ++i) z[i] = inverse_row(a, i, t[0], t[1], t[2]);
    exponent = a.bits + b.bits;
    const bool lost = !(z[0].limb[0] > most_cancelled * time.limb[0]);
    if (lost || !scale_up(z[0].limb[0], exponent, z[0], z[1], z[2])) return false;
    z[0] = z[0] * root3;
    for (int i = 0; i < 3; ++i) p[i] = rounded_leading<V>(z[i]);
    return true;
  } else {
    return false;
  }
}

template <class V>
ScaledTile<V> scaled_relative(const LTile& from, const LTile& to) {
  using Leading = typename LeadingOf<V>::type;
  if constexpr (!std::is_void_v<Leading>) {
    ScaledTile<Leading> leading;
    if (is_far(from, to) && leading_relative(from, to, leading)) {
      ScaledTile<V> r;
      r.exponent = leading.exponent;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r.entry[i][j] = rounded_leading<V>(leading.entry[i][j]);
      return r;
    }
  }
  return scaled<V>(relative(from, to));
}

#define MCT_INSTANTIATE(V)                                                                  \
  template ScaledTile<V> scaled<V>(const LTile&);                                           \
  template ScaledTile<V> scaled_relative<V>(const LTile&, const LTile&);                    \
  template bool leading_image(const LTile&, const LTile&, const std::array<V, 2>&, V(&)[3], \
                              std::int64_t&);
MCT_FOR_EACH_TILING_SCALAR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::geometry
