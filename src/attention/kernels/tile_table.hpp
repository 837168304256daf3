// The kernels of attention, compiled once per instruction set: the operations on a tile of pairs,
// with queries in its rows and keys in its columns. This header has no code, so it may be included
// under any instruction set.
#pragma once

#include <cstdint>

#include "mctensor/attention/scores.hpp"
#include "mctensor/expansion/value.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::attention_detail {

/// The number of columns of tiles and of padded rows is a multiple of the number of components in
/// this many bytes, so it is a multiple of the lanes of every register.
constexpr std::int64_t row_bytes = 64;
template <class E>
constexpr std::int64_t padding = row_bytes / std::int64_t(sizeof(typename ValueTraits<E>::Limb));

/// A matrix in memory: element (i, j) at data[i row + j column].
template <class T>
struct Strided {
  T* data;
  std::int64_t row, column;
};

/// Rows of columns that lie side by side, a multiple of the padding of them.
template <class T>
struct Tile {
  T* data;
  std::int64_t rows, columns;
  std::int64_t stride;  // from row to row

  T* row(std::int64_t i) const { return data + i * stride; }
};

/// Numbers of the queries of a tile [number][row], `query_stride` from one number to the next, and
/// of its keys.
template <class T>
struct PairNumbers {
  const T* queries;
  std::int64_t query_stride;
  const T* keys;
  std::int64_t key_stride;
};

/// Where the gradients of those numbers are added.
template <class T>
struct PairGradients {
  T* queries;
  std::int64_t query_stride;
  T* keys;
  std::int64_t key_stride;
};

template <class T>
struct TileTable {
  /// c += a b for a (c.rows, depth) and b (depth, c.columns): every element by depth
  /// multiplications and additions, fused where the hardware fuses, in the order of the depth.
  void (*add_product)(Strided<const T> a, std::int64_t depth, Tile<const T> b, Tile<T> c);
  /// Squared distances from differences: x (rows, depth), y (depth, columns).
  void (*find_distances)(Strided<const T> x, std::int64_t depth, Tile<const T> y, Tile<T> c);
  /// Scores to weights e^(score - top) with the new largest score of each row, `top`; `fade` is the
  /// factor of all earlier weights; `sum` is multiplied by it, and the new weights are added. A row
  /// whose scores are all -infinity has weights 0. There is memory for tile_queries numbers each.
  void (*soften)(Tile<T> c, T* top, T* fade, T* sum);
  /// Scores to weights e^(score - log_sum); 0 where log_sum is -infinity.
  void (*weigh)(Tile<T> c, const T* log_sum);
  /// Rows times factors.
  void (*scale)(Tile<T> c, const T* factor);
  /// d = c (d - mean): the gradient of the scores from weights c and the weights' gradients d.
  void (*through_softmax)(Tile<const T> c, const T* mean, Tile<T> d);
  /// Adds the sums of rows to `rows`, and the sums of columns to `columns`.
  void (*add_sums)(Tile<const T> c, T* rows, T* columns);
  /// x_gradient += sum of 2 w (x - y) over keys, y_gradient of 2 w (y - x) over queries, from
  /// differences: x (rows, depth), y and its gradient (depth, columns).
  void (*add_differences)(Tile<const T> w, Strided<const T> x, std::int64_t depth, Tile<const T> y,
                          Strided<T> x_gradient, Tile<T> y_gradient);
};

/// Squared lengths of the vectors of a tile.
template <class T>
struct PairLengths {
  const T* queries;
  const T* keys;
};

template <class T>
struct ScoreTable {
  /// t to scores; they may be the same tile.
  void (*value)(Tile<const T> t, const PairNumbers<T>& of, Tile<T> scores);
  /// For a score of the squared distance: inner products to t and to scores, which may be the same
  /// tile and then has the scores. The distance is x.x + y.y - 2 x.y; false if one of them is so
  /// small beside its lengths that too many digits may have cancelled: below 1/32 of their sum.
  bool (*value_of_products)(Tile<T> t, const PairLengths<T>& lengths, const PairNumbers<T>& of,
                            Tile<T> scores);
  /// d, the gradient of the scores, to that of t; those of the numbers are added.
  void (*backward)(Tile<const T> t, const PairNumbers<T>& of, Tile<T> d,
                   const PairGradients<T>& to);
};

MCT_DECLARE_KERNELS(template <class T> const TileTable<T>& tile_table();
                    template <class T> const ScoreTable<T>& score_table(attention::Score score);)

template <class T>
const TileTable<T>& find_tile_table() {
  return MCT_SELECT_KERNELS(tile_table<T>());
}
template <class T>
const ScoreTable<T>& find_score_table(attention::Score score) {
  return MCT_SELECT_KERNELS(score_table<T>(score));
}

}  // namespace mct::attention_detail
