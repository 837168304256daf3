// Operands of attention as the tiles read them: padded rows, blocks of columns, planes of numbers.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "mctensor/attention/streaming.hpp"
#include "mctensor/error.hpp"
#include "src/attention/bias.hpp"
#include "src/attention/kernels/tile_table.hpp"
#include "src/attention/sizes.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::attention_detail {

template <class T>
std::int64_t padded(std::int64_t n) {
  return (n + padding<T> - 1) / padding<T> * padding<T>;
}

/// x (groups, n, c) with rows of a padded number of columns, the last zero.
template <class T>
Tensor<T> padded_rows(const Tensor<T>& x) {
  const std::int64_t c = x.size(2);
  const std::int64_t width = padded<T>(c);
  if (width == c) return x.contiguous();
  Tensor<T> out({x.size(0), x.size(1), width});
  out.narrow(2, 0, c).copy_(x);
  return out;
}

/// Keys in blocks: x (groups, n, c) to (groups, blocks, c, tile_keys), the columns behind the last
/// key like it.
template <class T>
Tensor<T> column_blocks(const Tensor<T>& x) {
  constexpr std::int64_t width = tile_keys<T>;
  const std::int64_t n = x.size(1);
  const std::int64_t c = x.size(2);
  const std::int64_t blocks = blocks_of(n, width);
  const Tensor<T> rows = x.contiguous();
  auto out = Tensor<T>::uninitialized({x.size(0), blocks, c, width});
  tensor_detail::parallel_ranges(
      x.size(0) * blocks, tensor_detail::threads_for(double(out.numel())),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t task = begin; task < end; ++task) {
          const std::int64_t first = task % blocks * width;
          const T* from = rows.data() + task / blocks * n * c;
          T* to = out.data() + task * c * width;
          for (std::int64_t k = 0; k < c; ++k)
            for (std::int64_t j = 0; j < width; ++j)
              to[k * width + j] = from[std::min(first + j, n - 1) * c + k];
        }
      });
  return out;
}

/// Inner products in double of the rows of a and b (rows, width), of their first `columns`, by
/// eight partial sums: as many numbers as rows.
template <class T>
void row_products(const Tensor<T>& a, std::int64_t a_width, const Tensor<T>& b,
                  std::int64_t b_width, std::int64_t columns, const Tensor<T>& out) {
  tensor_detail::parallel_ranges(out.numel(),
                                 tensor_detail::threads_for(double(out.numel()) * double(columns)),
                                 [&](std::int64_t begin, std::int64_t end) {
                                   for (std::int64_t i = begin; i < end; ++i) {
                                     const T* x = a.data() + i * a_width;
                                     const T* y = b.data() + i * b_width;
                                     double parts[8] = {};
                                     for (std::int64_t k = 0; k < columns; ++k)
                                       parts[k % 8] += double(x[k]) * double(y[k]);
                                     for (const int half : {4, 2, 1})
                                       for (int k = 0; k < half; ++k) parts[k] += parts[k + half];
                                     out.data()[i] = T(parts[0]);
                                   }
                                 });
}

/// Squared lengths of the rows of x (groups, n, c), as (groups, n, 1).
template <class T>
Tensor<T> squared_lengths(const Tensor<T>& x) {
  const Tensor<T> rows = x.contiguous();
  const std::int64_t c = x.size(2);
  auto out = Tensor<T>::uninitialized({x.size(0), x.size(1), 1});
  row_products(rows, c, rows, c, c, out);
  return out;
}

/// The operands of one call.
template <class T>
class Packed {
 public:
  Packed(attention::Score score, const attention::Operands<T>& of, const attention::Mask<T>& mask);

  /// Scores of queries [first, first + rows) and keys of a block: t, and the scores themselves with
  /// the mask applied. False if the distances came from differences.
  bool find_scores(std::int64_t group, std::int64_t first, std::int64_t rows, std::int64_t block,
                   T* t, T* scores) const;
  /// Weights of the pairs times their dropout.
  void drop(std::int64_t group, std::int64_t first, std::int64_t rows, std::int64_t block,
            T* weights) const;
  /// Whether a causal mask hides all keys of a block from these queries.
  bool sees_nothing(std::int64_t first, std::int64_t rows, std::int64_t block) const {
    return mask_.causal && block * tile_keys<T> > first + rows - 1 + sizes_.keys - sizes_.queries;
  }

  const Sizes& sizes() const { return sizes_; }
  const Shape& lead() const { return lead_; }
  std::int64_t key_blocks() const { return blocks_of(sizes_.keys, tile_keys<T>); }
  std::int64_t query_blocks() const { return blocks_of(sizes_.queries, tile_queries); }
  /// Keys of a block.
  std::int64_t keys_in(std::int64_t block) const {
    return std::min(tile_keys<T>, sizes_.keys - block * tile_keys<T>);
  }
  std::int64_t queries_in(std::int64_t block) const {
    return std::min(tile_queries, sizes_.queries - block * tile_queries);
  }
  bool has_dropout() const { return mask_.dropout > 0; }
  bool from_distance() const { return from_distance_; }
  const T* query(std::int64_t group, std::int64_t first) const {
    return x_.data() + (group * sizes_.queries + first) * sizes_.depth;
  }
  Tile<const T> key_columns(std::int64_t group, std::int64_t block) const {
    return {y_.data() + (group * key_blocks() + block) * sizes_.depth * tile_keys<T>, sizes_.depth,
            tile_keys<T>, tile_keys<T>};
  }
  PairNumbers<T> numbers(std::int64_t group, std::int64_t first, std::int64_t block) const {
    return {a_.data() + group * query_numbers_ * sizes_.queries + first, sizes_.queries,
            b_.data() + (group * key_blocks() + block) * key_numbers_ * tile_keys<T>, tile_keys<T>};
  }
  std::int64_t query_numbers() const { return query_numbers_; }
  std::int64_t key_numbers() const { return key_numbers_; }
  const TileTable<T>& tiles() const { return tiles_; }
  const ScoreTable<T>& scores() const { return scores_; }

 private:
  void apply_mask(std::int64_t group, std::int64_t first, std::int64_t rows, std::int64_t block,
                  T* scores) const;
  /// Adds the bias of `keys` keys from `key` on.
  void add_bias(std::int64_t group, std::int64_t query, std::int64_t key, std::int64_t keys,
                T* row) const;

  const TileTable<T>& tiles_;
  const ScoreTable<T>& scores_;
  bool from_distance_;
  std::int64_t query_numbers_, key_numbers_;
  Sizes sizes_;
  Shape lead_;
  attention::Mask<T> mask_;  // hidden: expanded to all pairs
  BiasLayout bias_;
  Tensor<T> x_;  // (groups, L, d)
  Tensor<T> y_;  // blocks of columns
  Tensor<T> a_;  // (groups, numbers, L)
  Tensor<T> b_;  // blocks of columns
  Tensor<T> x_lengths_, y_lengths_;
};

/// (.., n, c) as (groups, n, c).
template <class T>
Tensor<T> as_groups(const Tensor<T>& x) {
  const std::int64_t n = x.size(-2);
  const std::int64_t c = x.size(-1);
  std::int64_t groups = 1;
  for (int k = 0; k + 2 < x.dim(); ++k) groups *= x.size(k);
  return x.reshape({groups, n, c});
}

}  // namespace mct::attention_detail
