// Operands of attention in the layout of the tiles: padded rows, blocks of columns, planes of
// numbers.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "mctensor/attention/streaming.hpp"
#include "mctensor/error.hpp"
#include "src/attention/bias.hpp"
#include "src/attention/kernels/tile_table.hpp"
#include "src/attention/sizes.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::attention_detail {

template <class E>
std::int64_t padded(std::int64_t n) {
  return (n + padding<E> - 1) / padding<E> * padding<E>;
}

/// x (groups, n, c) with rows of a padded number of columns, the last zero.
template <class E>
Buffer<E> padded_rows(const TensorOf<E>& x) {
  Buffer<E> rows = Buffer<E>::of(x);
  const std::int64_t c = x.size(2);
  const std::int64_t width = padded<E>(c);
  if (width == c) return rows;
  const std::int64_t n = x.size(0) * x.size(1);
  auto out = Buffer<E>::zeros(n * width);
  for (std::int64_t i = 0; i < n; ++i) std::copy_n(rows.data() + i * c, c, out.data() + i * width);
  return out;
}

/// Keys in blocks: rows of x (groups, n, c) to (groups, blocks, c, tile_keys), the columns after
/// the last key like it.
template <class E>
Buffer<E> column_blocks(const Buffer<E>& x, std::int64_t groups, std::int64_t n, std::int64_t c) {
  constexpr std::int64_t width = tile_keys<E>;
  const std::int64_t blocks = blocks_of(n, width);
  Buffer<E> out(groups * blocks * c * width);
  tensor_detail::parallel_ranges(
      groups * blocks, tensor_detail::threads_for(double(groups * blocks) * double(c * width)),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t task = begin; task < end; ++task) {
          const std::int64_t first = task % blocks * width;
          const E* from = x.data() + task / blocks * n * c;
          E* to = out.data() + task * c * width;
          for (std::int64_t k = 0; k < c; ++k)
            for (std::int64_t j = 0; j < width; ++j)
              to[k * width + j] = from[std::min(first + j, n - 1) * c + k];
        }
      });
  return out;
}
/// The same of a tensor (groups, n, c).
template <class E>
Buffer<E> column_blocks(const TensorOf<E>& x) {
  return column_blocks<E>(Buffer<E>::of(x), x.size(0), x.size(1), x.size(2));
}

/// The inner product of n elements by eight partial sums in double (f64x2: in f64x2).
template <class E>
E row_product(const E* x, const E* y, std::int64_t n) {
  using W = Wide<E>;
  W parts[8] = {};
  for (std::int64_t k = 0; k < n; ++k) parts[k % 8] = parts[k % 8] + W(x[k]) * W(y[k]);
  for (const int half : {4, 2, 1})
    for (int k = 0; k < half; ++k) parts[k] = parts[k] + parts[k + half];
  return E(parts[0]);
}
/// The inner products of `count` rows of a and b (rows, width), over their first `columns` numbers.
template <class E>
Buffer<E> row_products(const Buffer<E>& a, std::int64_t a_width, const Buffer<E>& b,
                       std::int64_t b_width, std::int64_t columns, std::int64_t count) {
  Buffer<E> out(count);
  tensor_detail::parallel_ranges(count, tensor_detail::threads_for(double(count) * double(columns)),
                                 [&](std::int64_t begin, std::int64_t end) {
                                   for (std::int64_t i = begin; i < end; ++i)
                                     out.data()[i] = row_product<E>(
                                         a.data() + i * a_width, b.data() + i * b_width, columns);
                                 });
  return out;
}

/// Vectors and numbers of the pairs of a tile: x (rows, depth), y (depth, columns).
template <class E>
struct Pairs {
  const E* x;
  Tile<const E> y;
  PairNumbers<E> numbers;
};

/// The kernels of a score, and the numbers that they read.
template <class E>
struct ScoreKernels {
  const TileTable<E>& tiles;
  const ScoreTable<E>& scores;
  bool from_distance = false, has_corner = false;
  std::int64_t query_numbers = 0, key_numbers = 0;

  explicit ScoreKernels(attention::Score score);
  /// Throws ShapeError unless the operands belong together.
  Sizes sizes_of(const OperandsOf<E>& of) const;
  /// Scores of pairs; of a score of the distance that from differences, to t.
  void find_scores(const Pairs<E>& of, Tile<E> t, Tile<E> to) const;
  /// Throws DomainError where the points of a pair that is seen coincide and move apart; `key` is
  /// the number of the key in a column.
  template <class F>
  void require_smooth(const Pairs<E>& of, Tile<E> t, Tile<E> to, std::int64_t first,
                      const F& key) const;
};

template <class E>
template <class F>
void ScoreKernels<E>::require_smooth(const Pairs<E>& of, Tile<E> t, Tile<E> to, std::int64_t first,
                                     const F& key) const {
  const E nothing = -std::numeric_limits<E>::infinity();
  if (!has_corner) return;
  for (std::int64_t i = 0; i < t.rows; ++i)
    for (std::int64_t j = 0; j < t.columns; ++j) {
      if (!(t.row(i)[j] == E(0)) || to.row(i)[j] == nothing) continue;
      bool moves = false;
      bool apart = false;  // by their numbers; those of a key are the query's first
      for (std::int64_t c = 0; c < key_numbers; ++c) {
        const E& a = of.numbers.queries[c * of.numbers.query_stride + i];
        const E& b = of.numbers.keys[c * of.numbers.key_stride + j];
        apart = apart || !(a == b);
        moves = moves || a.limb[1] != b.limb[1];
      }
      if (apart) continue;
      for (std::int64_t c = 0; c < of.y.rows; ++c)
        moves = moves || of.x[i * of.y.rows + c].limb[1] != of.y.row(c)[j].limb[1];
      if (moves)
        throw DomainError(
            "attention: query " + std::to_string(first + i) + " and key " + std::to_string(key(j)) +
            " are the same point, where their distance has a corner: it has neither a second "
            "derivative nor a derivative along a direction in which they move apart");
    }
}

/// Weights of one query and so many keys from `key` on, multiples of 4, times their dropout.
template <class E>
void drop_weights(const MaskOf<E>& mask, std::int64_t group, std::int64_t query, std::int64_t key,
                  std::int64_t keys, E* weights);
/// Throws DomainError unless dropout is a probability.
void require_dropout(double dropout);

/// The operands of one call.
template <class E>
class Packed {
 public:
  /// `others`: of the scores that are added to this one. Throws ShapeError, DomainError.
  Packed(attention::Score score, const OperandsOf<E>& of, const MaskOf<E>& mask,
         std::vector<Packed> others = {});

  /// Scores of queries [first, first + rows) and keys of a block: t of this score, and the sum of
  /// all scores with the mask applied. False if the distances came from differences.
  bool find_scores(std::int64_t group, std::int64_t first, std::int64_t rows, std::int64_t block,
                   E* t, E* scores) const;
  /// Weights of the pairs times their dropout.
  void drop(std::int64_t group, std::int64_t first, std::int64_t rows, std::int64_t block,
            E* weights) const;
  /// Whether a causal mask hides all keys of a block from these queries.
  bool sees_nothing(std::int64_t first, std::int64_t rows, std::int64_t block) const {
    return mask_.causal && block * tile_keys<E> > first + rows - 1 + sizes_.keys - sizes_.queries;
  }

  const Sizes& sizes() const { return sizes_; }
  const Shape& lead() const { return lead_; }
  std::int64_t key_blocks() const { return blocks_of(sizes_.keys, tile_keys<E>); }
  std::int64_t query_blocks() const { return blocks_of(sizes_.queries, tile_queries); }
  /// Keys of a block.
  std::int64_t keys_in(std::int64_t block) const {
    return std::min(tile_keys<E>, sizes_.keys - block * tile_keys<E>);
  }
  std::int64_t queries_in(std::int64_t block) const {
    return std::min(tile_queries, sizes_.queries - block * tile_queries);
  }
  bool has_dropout() const { return mask_.dropout > 0; }
  bool from_distance() const { return kernels_.from_distance; }
  const E* query(std::int64_t group, std::int64_t first) const {
    return x_.data() + (group * sizes_.queries + first) * sizes_.depth;
  }
  Tile<const E> key_columns(std::int64_t group, std::int64_t block) const {
    return {y_.data() + (group * key_blocks() + block) * sizes_.depth * tile_keys<E>, sizes_.depth,
            tile_keys<E>, tile_keys<E>};
  }
  PairNumbers<E> numbers(std::int64_t group, std::int64_t first, std::int64_t block) const {
    return {of_queries(a_.data(), group, first), sizes_.queries,
            b_.data() + (group * key_blocks() + block) * key_numbers() * tile_keys<E>,
            tile_keys<E>};
  }
  /// Where the numbers of queries from `first` on begin in (groups, numbers, L). A score without
  /// such numbers has no such memory to point into.
  template <class T>
  T* of_queries(T* data, std::int64_t group, std::int64_t first) const {
    return data ? data + group * query_numbers() * sizes_.queries + first : nullptr;
  }
  std::int64_t query_numbers() const { return kernels_.query_numbers; }
  std::int64_t key_numbers() const { return kernels_.key_numbers; }
  const TileTable<E>& tiles() const { return kernels_.tiles; }
  const ScoreTable<E>& scores() const { return kernels_.scores; }

 private:
  Pairs<E> pairs(std::int64_t group, std::int64_t first, std::int64_t block) const {
    return {query(group, first), key_columns(group, block), numbers(group, first, block)};
  }
  /// t and this score alone, without the mask.
  bool find_own(std::int64_t group, std::int64_t first, std::int64_t rows, std::int64_t block, E* t,
                E* scores) const;
  void add_others(std::int64_t group, std::int64_t first, std::int64_t rows, std::int64_t block,
                  E* scores) const;
  void apply_mask(std::int64_t group, std::int64_t first, std::int64_t rows, std::int64_t block,
                  E* scores) const;
  /// Adds the bias of `keys` keys from `key` on.
  void add_bias(std::int64_t group, std::int64_t query, std::int64_t key, std::int64_t keys,
                E* row) const;

  ScoreKernels<E> kernels_;
  std::vector<Packed> others_;
  Sizes sizes_;
  Shape lead_;
  MaskOf<E> mask_;
  BiasLayout bias_, hidden_;
  Buffer<E> x_;  // (groups, L, d)
  Buffer<E> y_;  // blocks of columns
  Buffer<E> a_;  // (groups, numbers, L)
  Buffer<E> b_;  // blocks of columns
  Buffer<E> x_lengths_, y_lengths_;
};

/// (.., n, c) as (groups, n, c).
template <class T, int N>
Tensor<T, N> as_groups(const Tensor<T, N>& x) {
  const std::int64_t n = x.size(-2);
  const std::int64_t c = x.size(-1);
  std::int64_t groups = 1;
  for (int k = 0; k + 2 < x.dim(); ++k) groups *= x.size(k);
  return x.reshape({groups, n, c});
}

}  // namespace mct::attention_detail
