// Scores of a tile of pairs, and their derivatives, in lanes of keys.
#pragma once

#include <type_traits>

#include "src/attention/kernels/tile_kernels.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using attention_detail::PairGradients;
using attention_detail::PairLengths;
using attention_detail::PairNumbers;

/// The type in which the score of a T is computed: double for floats, if the score asks for it.
template <class S, class T>
using ScoreLanes =
    tile_lanes<std::conditional_t<S::in_double && std::is_same_v<T, float>, double, T>>;

/// Lanes of another type, through a buffer that the compiler keeps in registers.
template <class V, class T>
MCT_ALWAYS_INLINE inline V load_as(const T* p) {
  if constexpr (std::is_same_v<element_t<V>, T>) {
    return load_lanes<V>(p);
  } else {
    scalar_t<V> buffer[lanes<V>];
    for (std::size_t k = 0; k < lanes<V>; ++k) buffer[k] = scalar_t<V>(p[k]);
    return load_lanes<V>(buffer);
  }
}
template <class V, class T>
MCT_ALWAYS_INLINE inline void store_as(const V& x, T* p) {
  if constexpr (std::is_same_v<element_t<V>, T>) {
    store_lanes<V>(x, p);
  } else {
    scalar_t<V> buffer[lanes<V>];
    store_lanes<V>(x, buffer);
    for (std::size_t k = 0; k < lanes<V>; ++k) p[k] = T(buffer[k]);
  }
}

template <class V, int Count, class T>
MCT_ALWAYS_INLINE inline void load_query(const PairNumbers<T>& of, std::int64_t i, V* a) {
  for (int c = 0; c < Count; ++c)
    a[c] = spread<V>(element_t<V>(of.queries[c * of.query_stride + i]));
}
template <class V, int Count, class T>
MCT_ALWAYS_INLINE inline void load_keys(const PairNumbers<T>& of, std::int64_t j, V* b) {
  for (int c = 0; c < Count; ++c) b[c] = load_as<V>(of.keys + c * of.key_stride + j);
}

template <class S, class T>
void score_value(Tile<const T> t, const PairNumbers<T>& of, Tile<T> scores) {
  using V = ScoreLanes<S, T>;
  constexpr auto width = std::int64_t(lanes<V>);
  for (std::int64_t i = 0; i < t.rows; ++i) {
    V a[S::queries + 1], b[S::keys + 1];
    load_query<V, S::queries>(of, i, a);
    for (std::int64_t j = 0; j < t.columns; j += width) {
      load_keys<V, S::keys>(of, j, b);
      store_as<V>(S::value(load_as<V>(t.row(i) + j), a, b), scores.row(i) + j);
    }
  }
}

template <class S, class T>
bool score_of_products(Tile<T> t, const PairLengths<T>& lengths, const PairNumbers<T>& of,
                       Tile<T> scores) {
  using V = ScoreLanes<S, T>;
  using U = element_t<V>;
  constexpr auto width = std::int64_t(lanes<V>);
  const V zero = detail::number<V>(0.0);
  V worst = zero;
  for (std::int64_t i = 0; i < t.rows; ++i) {
    V a[S::queries + 1], b[S::keys + 1];
    load_query<V, S::queries>(of, i, a);
    const V x = spread<V>(U(lengths.queries[i]));
    for (std::int64_t j = 0; j < t.columns; j += width) {
      const attention::score_detail::DistanceOfProduct<V> of_product(load_as<V>(t.row(i) + j), x,
                                                                     load_as<V>(lengths.keys + j));
      worst = larger(worst, of_product.lost());
      const V distance = larger(of_product.distance, zero);
      store_as<V>(distance, t.row(i) + j);
      load_keys<V, S::keys>(of, j, b);
      store_as<V>(S::value(distance, a, b), scores.row(i) + j);
    }
  }
  return !(U(0) < largest_lane(worst));
}

template <class S, class T>
void score_backward(Tile<const T> t, const PairNumbers<T>& of, Tile<T> d,
                    const PairGradients<T>& to) {
  using V = ScoreLanes<S, T>;
  constexpr auto width = std::int64_t(lanes<V>);
  for (std::int64_t i = 0; i < t.rows; ++i) {
    V a[S::queries + 1], b[S::keys + 1];
    load_query<V, S::queries>(of, i, a);
    RowSum<V> sums[S::queries + 1];
    // as for_columns, whose function would keep the numbers of the query in memory
    for (std::int64_t first = 0; first < t.columns; first += padding<element_t<V>>)
      for (std::int64_t part = 0; part < padding<element_t<V>> / width; ++part) {
        const std::int64_t j = first + part * width;
        load_keys<V, S::keys>(of, j, b);
        const auto slope = S::slopes(load_as<V>(t.row(i) + j), a, b);
        const V g = load_as<V>(d.row(i) + j);
        store_as<V>(V(g * slope.t), d.row(i) + j);
        for (int c = 0; c < S::queries; ++c) sums[c].add(part, V(g * slope.query[c]));
        for (int c = 0; c < S::keys; ++c) {
          T* sum = to.keys + c * to.key_stride + j;
          store_as<V>(plus_product(g, slope.key[c], load_as<V>(sum)), sum);
        }
      }
    for (int c = 0; c < S::queries; ++c) {
      T& sum = to.queries[c * to.query_stride + i];
      sum = T(element_t<V>(sum) + sums[c].value());
    }
  }
}

template <class T>
const attention_detail::ScoreTable<T>& score_table_of(attention::Score score) {
  return attention::with_score(score, [](auto which) -> const attention_detail::ScoreTable<T>& {
    using S = decltype(which);
    if constexpr (S::from_distance) {
      static constexpr attention_detail::ScoreTable<T> table = {
          &score_value<S, T>, &score_of_products<S, T>, &score_backward<S, T>};
      return table;
    } else {  // the inner product is the score
      static constexpr attention_detail::ScoreTable<T> table = {};
      return table;
    }
  });
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

/// The kernels of an element, in attention_detail::MCT_KERNELS.
#define MCT_DEFINE_TILES(E)                                              \
  template <>                                                            \
  const TileTable<E>& tile_table<E>() {                                  \
    static constexpr TileTable<E> table = kernels::make_tile_table<E>(); \
    return table;                                                        \
  }                                                                      \
  template <>                                                            \
  const ScoreTable<E>& score_table<E>(attention::Score score) {          \
    return kernels::score_table_of<E>(score);                            \
  }
