// The operations on a tile of pairs, in lanes of keys.
#pragma once

#include <limits>
#include <type_traits>

#include "mctensor/attention/scores.hpp"
#include "mctensor/expansion/value.hpp"
#include "src/attention/kernels/tile_table.hpp"
#include "src/attention/sizes.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

// Elements of attention in SIMD lanes: plain numbers, and expansions whose components lie side by
// side in memory.

/// Elements in a value of V: those in each of its limbs.
template <class W, int N>
inline constexpr std::size_t lanes<Expansion<W, N>> = lanes<W>;
template <class W>
inline constexpr std::size_t lanes<Dual<W>> = lanes<W>;

/// The type in memory: double for a batch of doubles, f64x2 for an expansion of two batches.
template <class V>
struct ElementOf {
  using type = scalar_t<V>;
};
template <class W, int N>
struct ElementOf<Expansion<W, N>> {
  using type = Expansion<scalar_t<W>, N>;
};
template <class W>
struct ElementOf<Dual<W>> {
  using type = Dual<scalar_t<W>>;
};
template <class V>
using element_t = typename ElementOf<V>::type;

/// The widest lanes of an element.
template <class E>
struct TileLanes {
  using type = widest_batch<E>;
};
template <class T, int N>
struct TileLanes<Expansion<T, N>> {
  using type = Expansion<widest_batch<T>, N>;
};
template <class T>
struct TileLanes<Dual<T>> {
  using type = Dual<widest_batch<T>>;
};
template <class E>
using tile_lanes = typename TileLanes<E>::type;

template <class V>
requires is_expansion_v<V> MCT_ALWAYS_INLINE inline V load_lanes(const element_t<V>* p) {
  using W = detail::limb_t<V>;
  V r;
  for (int c = 0; c < detail::limbs_of<V>; ++c) {
    scalar_t<W> buffer[lanes<W>];
    for (std::size_t k = 0; k < lanes<W>; ++k) buffer[k] = p[k].limb[c];
    r.limb[c] = load_lanes<W>(buffer);
  }
  return r;
}
template <class V>
requires is_expansion_v<V> MCT_ALWAYS_INLINE inline void store_lanes(const V& x, element_t<V>* p) {
  using W = detail::limb_t<V>;
  for (int c = 0; c < detail::limbs_of<V>; ++c) {
    scalar_t<W> buffer[lanes<W>];
    store_lanes<W>(x.limb[c], buffer);
    for (std::size_t k = 0; k < lanes<W>; ++k) p[k].limb[c] = buffer[k];
  }
}

/// An element in all lanes.
template <class V>
MCT_ALWAYS_INLINE inline V spread(const element_t<V>& x) {
  if constexpr (is_expansion_v<V>) {
    V r;
    for (int c = 0; c < detail::limbs_of<V>; ++c) r.limb[c] = detail::limb_t<V>(x.limb[c]);
    return r;
  } else {
    return V(x);
  }
}

using attention::score_detail::larger;
using attention::score_detail::plus_product;

using attention_detail::padding;
using attention_detail::Strided;
using attention_detail::Tile;

/// Calls f(j, part) for all columns j of a tile, a register of them at a time; the part is j's
/// register among the columns of the padding, a constant where the call is inlined.
template <class V, class F>
MCT_ALWAYS_INLINE inline void for_columns(std::int64_t columns, const F& f) {
  constexpr auto width = std::int64_t(lanes<V>);
  constexpr auto block = padding<element_t<V>>;
  for (std::int64_t j = 0; j < columns; j += block) {
#pragma GCC unroll 16
    for (std::int64_t part = 0; part < block / width; ++part) f(j + part * width, part);
  }
}

/// A sum whose order does not depend on the width of a register: element j goes to partial sum j
/// modulo `padding`, and those are added in halves.
template <class V>
class RowSum {
  using T = element_t<V>;
  static constexpr int parts = int(padding<T>) / int(lanes<V>);

 public:
  MCT_ALWAYS_INLINE RowSum() {
    for (V& part : parts_) part = detail::number<V>(0.0);
  }
  /// Adds the columns that belong to a part, as for_columns gives them.
  MCT_ALWAYS_INLINE void add(std::int64_t part, const V& x) { parts_[part] = parts_[part] + x; }
  MCT_ALWAYS_INLINE T value() const {
    V all[parts];
    for (int k = 0; k < parts; ++k) all[k] = parts_[k];
#pragma GCC unroll 8
    for (int half = parts / 2; half > 0; half /= 2)
      for (int k = 0; k < half; ++k) all[k] = all[k] + all[k + half];
    T last[lanes<V>];
    store_lanes(all[0], last);
    return halved<int(lanes<V>)>(last);
  }

 private:
  /// The sum of `count` numbers in halves: without a loop, so that they stay in registers.
  template <int Count>
  MCT_ALWAYS_INLINE static T halved(const T* x) {
    if constexpr (Count == 1) {
      return x[0];
    } else {
      T half[Count / 2];
      for (int k = 0; k < Count / 2; ++k) half[k] = x[k] + x[k + Count / 2];
      return halved<Count / 2>(half);
    }
  }

  V parts_[parts];
};

template <class V>
element_t<V> largest_lane(const V& x) {
  element_t<V> all[lanes<V>];
  store_lanes(x, all);
  element_t<V> best = all[0];
  for (const auto each : all) best = best < each ? each : best;
  return best;
}

/// e^x of plain numbers. x = k log 2 + r; e^r by its Taylor series, to r^7 or r^13.
template <class V>
MCT_ALWAYS_INLINE inline V plain_exp_of_negative(const V& x) {
  using T = element_t<V>;
  constexpr bool is_float = std::is_same_v<T, float>;
  constexpr int degree = is_float ? 7 : 13;
  constexpr T least = is_float ? T(-87.3) : T(-708.3);
  constexpr T log2_high = is_float ? T(0x1.62e4p-1) : T(0x1.62e42fee00000p-1);
  constexpr T log2_low = is_float ? T(0x1.7f7d1cf79abc9p-20) : T(0x1.a39ef35793c76p-33);
  const V bounded = detail::blend(x < V(least), V(least), x);
  const V k = detail::nearest_integer(V(bounded * V(T(1.4426950408889634))));
  const V r = plus_product(k, V(-log2_low), plus_product(k, V(-log2_high), bounded));
  T inverse_factorial[degree + 1];
  double factorial = 1;
  for (int i = 0; i <= degree; ++i) {
    inverse_factorial[i] = T(1 / factorial);
    factorial *= i + 1;
  }
  V sum(inverse_factorial[degree]);
  for (int i = degree - 1; i >= 2; --i) sum = plus_product(sum, r, V(inverse_factorial[i]));
  sum = plus_product(V(sum * r), r, r) + V(T(1));
  return detail::blend(x < V(least), detail::number<V>(0.0), V(sum * detail::power_of_two(k)));
}

/// e^x for x <= 0; NaN for NaN. 0 for -infinity and for results that are not normal numbers. For
/// expansions the limit is e^-600, below which the last component would not be normal. Error <= 1.5
/// ulp for plain numbers (tests/attention/weights_test.cpp), the bound of exp for expansions.
template <class V>
MCT_ALWAYS_INLINE inline V exp_of_negative(const V& x) {
  if constexpr (is_expansion_v<V>) {
    const V least = detail::number<V>(-600.0);
    const auto is_tiny = x < least;
    return detail::blend(is_tiny, detail::number<V>(0.0), V(exp(detail::blend(is_tiny, least, x))));
  } else {
    return plain_exp_of_negative(x);
  }
}

/// A register tile: Rows rows of Vectors vectors.
template <class V, int Rows, int Vectors>
MCT_ALWAYS_INLINE inline void add_product_block(Strided<const element_t<V>> a, std::int64_t depth,
                                                const element_t<V>* b, std::int64_t b_stride,
                                                element_t<V>* c, std::int64_t c_stride) {
  constexpr auto width = std::int64_t(lanes<V>);
  V sums[Rows][Vectors];
  for (int i = 0; i < Rows; ++i)
    for (int v = 0; v < Vectors; ++v) sums[i][v] = load_lanes<V>(c + i * c_stride + v * width);
  for (std::int64_t k = 0; k < depth; ++k) {
    V y[Vectors];
    for (int v = 0; v < Vectors; ++v) y[v] = load_lanes<V>(b + v * width);
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      const V x = spread<V>(a.data[i * a.row]);
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) sums[i][v] = plus_product(x, y[v], sums[i][v]);
    }
    a.data += a.column;
    b += b_stride;
  }
  for (int i = 0; i < Rows; ++i)
    for (int v = 0; v < Vectors; ++v) store_lanes<V>(sums[i][v], c + i * c_stride + v * width);
}

/// Vectors and rows that keep all sums in registers beside the operands.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr bool many_registers = true;
#else
inline constexpr bool many_registers = false;
#endif
template <class V>
constexpr int block_vectors() {
  if (is_expansion_v<V>) return 1;
  return many_registers ? 4 : 2;
}
template <class V, int Vectors>
constexpr int block_rows() {
  if (is_expansion_v<V>) return many_registers ? 4 : 2;
  return Vectors == (many_registers ? 4 : 2) ? 6 : 8;
}

template <class V, int Vectors>
void add_product_strip(Strided<const element_t<V>> a, std::int64_t depth,
                       Tile<const element_t<V>> b, Tile<element_t<V>> c, std::int64_t column) {
  constexpr int rows = block_rows<V, Vectors>();
  const auto* y = b.data + column;
  auto* out = c.data + column;
  std::int64_t i = 0;
  const auto block = [&]<int R>() {
    for (; i + R <= c.rows; i += R)
      add_product_block<V, R, Vectors>({a.data + i * a.row, a.row, a.column}, depth, y, b.stride,
                                       out + i * c.stride, c.stride);
  };
  block.template operator()<rows>();
  block.template operator()<2>();
  block.template operator()<1>();
}

template <class V>
void add_product(Strided<const element_t<V>> a, std::int64_t depth, Tile<const element_t<V>> b,
                 Tile<element_t<V>> c) {
  constexpr auto width = std::int64_t(lanes<V>);
  constexpr int vectors = block_vectors<V>();
  std::int64_t j = 0;
  for (; j + vectors * width <= c.columns; j += vectors * width)
    add_product_strip<V, vectors>(a, depth, b, c, j);
  for (; j < c.columns; j += width) add_product_strip<V, 1>(a, depth, b, c, j);
}

template <class V>
void find_distances(Strided<const element_t<V>> x, std::int64_t depth, Tile<const element_t<V>> y,
                    Tile<element_t<V>> c) {
  constexpr auto width = std::int64_t(lanes<V>);
  for (std::int64_t i = 0; i < c.rows; ++i)
    for (std::int64_t j = 0; j < c.columns; j += width) {
      V sum = detail::number<V>(0.0);
      for (std::int64_t k = 0; k < depth; ++k) {
        const V d = spread<V>(x.data[i * x.row + k * x.column]) - load_lanes<V>(y.row(k) + j);
        sum = plus_product(d, d, sum);
      }
      store_lanes<V>(sum, c.row(i) + j);
    }
}

template <class V>
void soften(Tile<element_t<V>> c, element_t<V>* top, element_t<V>* fade, element_t<V>* sum) {
  using T = element_t<V>;
  constexpr auto width = std::int64_t(lanes<V>);
  const T lowest = -std::numeric_limits<T>::infinity();
  T added[attention_detail::tile_queries];
  for (std::int64_t i = 0; i < c.rows; ++i) {
    T* row = c.row(i);
    V best = load_lanes<V>(row);
    for (std::int64_t j = width; j < c.columns; j += width)
      best = larger(best, load_lanes<V>(row + j));
    const T largest = largest_lane(best);
    const T before = top[i];
    top[i] = before < largest ? largest : before;
    const T shift = top[i] == lowest ? T(0) : top[i];
    RowSum<V> weights;
    for_columns<V>(c.columns, [&](std::int64_t j, std::int64_t part) {
      const V weight = exp_of_negative(V(load_lanes<V>(row + j) - spread<V>(shift)));
      weights.add(part, weight);
      store_lanes<V>(weight, row + j);
    });
    fade[i] = before - shift;
    added[i] = weights.value();
  }
  for (std::int64_t i = c.rows; i % width != 0; ++i) fade[i] = sum[i] = added[i] = T(0);
  for (std::int64_t i = 0; i < c.rows; i += width) {
    const V f = exp_of_negative(load_lanes<V>(fade + i));
    store_lanes<V>(f, fade + i);
    store_lanes<V>(plus_product(load_lanes<V>(sum + i), f, load_lanes<V>(added + i)), sum + i);
  }
}

template <class V>
void weigh(Tile<element_t<V>> c, const element_t<V>* log_sum) {
  using T = element_t<V>;
  constexpr auto width = std::int64_t(lanes<V>);
  for (std::int64_t i = 0; i < c.rows; ++i) {
    const T shift = log_sum[i] == -std::numeric_limits<T>::infinity() ? T(0) : log_sum[i];
    for (std::int64_t j = 0; j < c.columns; j += width)
      store_lanes<V>(exp_of_negative(V(load_lanes<V>(c.row(i) + j) - spread<V>(shift))),
                     c.row(i) + j);
  }
}

template <class V>
void scale(Tile<element_t<V>> c, const element_t<V>* factor) {
  constexpr auto width = std::int64_t(lanes<V>);
  for (std::int64_t i = 0; i < c.rows; ++i)
    for (std::int64_t j = 0; j < c.columns; j += width)
      store_lanes<V>(V(load_lanes<V>(c.row(i) + j) * spread<V>(factor[i])), c.row(i) + j);
}

template <class V>
void through_softmax(Tile<const element_t<V>> c, const element_t<V>* mean, Tile<element_t<V>> d) {
  constexpr auto width = std::int64_t(lanes<V>);
  for (std::int64_t i = 0; i < c.rows; ++i)
    for (std::int64_t j = 0; j < c.columns; j += width)
      store_lanes<V>(
          V(load_lanes<V>(c.row(i) + j) * (load_lanes<V>(d.row(i) + j) - spread<V>(mean[i]))),
          d.row(i) + j);
}

template <class V>
void add_sums(Tile<const element_t<V>> c, element_t<V>* rows, element_t<V>* columns) {
  for (std::int64_t i = 0; i < c.rows; ++i) {
    RowSum<V> sum;
    for_columns<V>(c.columns, [&](std::int64_t j, std::int64_t part) {
      const V x = load_lanes<V>(c.row(i) + j);
      sum.add(part, x);
      store_lanes<V>(V(load_lanes<V>(columns + j) + x), columns + j);
    });
    rows[i] = rows[i] + sum.value();
  }
}

template <class V>
void add_differences(Tile<const element_t<V>> w, Strided<const element_t<V>> x, std::int64_t depth,
                     Tile<const element_t<V>> y, Strided<element_t<V>> x_gradient,
                     Tile<element_t<V>> y_gradient) {
  using T = element_t<V>;
  for (std::int64_t i = 0; i < w.rows; ++i)
    for (std::int64_t k = 0; k < depth; ++k) {
      RowSum<V> sum;
      const V at = spread<V>(x.data[i * x.row + k * x.column]);
      for_columns<V>(w.columns, [&](std::int64_t j, std::int64_t part) {
        const V term = detail::number<V>(2.0) * load_lanes<V>(w.row(i) + j) *
                       (at - load_lanes<V>(y.row(k) + j));
        sum.add(part, term);
        store_lanes<V>(V(load_lanes<V>(y_gradient.row(k) + j) - term), y_gradient.row(k) + j);
      });
      T& to = x_gradient.data[i * x_gradient.row + k * x_gradient.column];
      to = to + sum.value();
    }
}

template <class E>
constexpr attention_detail::TileTable<E> make_tile_table() {
  using V = tile_lanes<E>;
  return {&add_product<V>, &find_distances<V>,  &soften<V>,   &weigh<V>,
          &scale<V>,       &through_softmax<V>, &add_sums<V>, &add_differences<V>};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
