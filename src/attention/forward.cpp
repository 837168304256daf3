// Attention, forward: a block of queries looks at one block of keys after the other.
#include <cmath>
#include <limits>
#include <vector>

#include "src/attention/packed.hpp"

namespace mct::attention {
namespace {

using attention_detail::Packed;
using attention_detail::Tile;
using attention_detail::tile_keys;
using attention_detail::tile_queries;

/// Memory of one thread.
template <class T>
struct Workspace {
  Tensor<T> tile, sums;
  std::vector<T> top, fade, sum;

  explicit Workspace(std::int64_t values)
      : tile({tile_queries, tile_keys<T>}),
        sums({tile_queries, values}),
        top(tile_queries),
        fade(tile_queries),
        sum(tile_queries) {}
};

template <class T>
void attend_block(const Packed<T>& of, const Tensor<T>& values, std::int64_t group,
                  std::int64_t block, Workspace<T>& work, const Attended<T>& to) {
  constexpr T nothing = -std::numeric_limits<T>::infinity();
  const auto& sizes = of.sizes();
  const std::int64_t first = block * tile_queries;
  const std::int64_t rows = of.queries_in(block);
  const std::int64_t width = values.size(2);
  const Tile<T> sums = {work.sums.data(), rows, width, width};
  work.sums.fill_(T(0));
  std::fill(work.top.begin(), work.top.end(), nothing);
  std::fill(work.sum.begin(), work.sum.end(), T(0));
  const Tile<T> tile = {work.tile.data(), rows, tile_keys<T>, tile_keys<T>};
  for (std::int64_t keys = 0; keys < of.key_blocks(); ++keys) {
    if (of.sees_nothing(first, rows, keys)) break;
    of.find_scores(group, first, rows, keys, tile.data, tile.data);
    of.tiles().soften(tile, work.top.data(), work.fade.data(), work.sum.data());
    if (of.has_dropout()) of.drop(group, first, rows, keys, tile.data);
    of.tiles().scale(sums, work.fade.data());
    const T* v = values.data() + (group * sizes.keys + keys * tile_keys<T>)*width;
    of.tiles().add_product({tile.data, tile.stride, 1}, of.keys_in(keys),
                           {v, of.keys_in(keys), width, width}, sums);
  }
  T* out = to.values.data() + (group * sizes.queries + first) * sizes.values;
  T* log_sum = to.log_sum.data() + group * sizes.queries + first;
  for (std::int64_t i = 0; i < rows; ++i) {
    const T sum = work.sum[std::size_t(i)];
    log_sum[i] = sum == T(0) ? nothing : work.top[std::size_t(i)] + std::log(sum);
    for (std::int64_t c = 0; c < sizes.values; ++c)
      out[i * sizes.values + c] = sum == T(0) ? T(0) : sums.row(i)[c] / sum;
  }
}

}  // namespace

template <class T>
Attended<T> attend(Score score, const Operands<T>& of, const Mask<T>& mask) {
  const Packed<T> packed(score, of, mask);
  const auto& sizes = packed.sizes();
  Shape shape = of.x.shape();
  shape.back() = sizes.values;
  Attended<T> result = {Tensor<T>(shape),
                        Tensor<T>::uninitialized({of.x.shape().begin(), of.x.shape().end() - 1})};
  if (sizes.keys == 0) {
    result.log_sum.fill_(-std::numeric_limits<T>::infinity());
    return result;
  }
  const Tensor<T> values = attention_detail::padded_rows(attention_detail::as_groups(of.v));
  const std::int64_t blocks = packed.query_blocks();
  tensor_detail::parallel_ranges(sizes.groups * blocks, tensor_detail::threads_for(cost_of(sizes)),
                                 [&](std::int64_t begin, std::int64_t end) {
                                   Workspace<T> work(values.size(2));
                                   for (std::int64_t task = begin; task < end; ++task)
                                     attend_block(packed, values, task / blocks,
                                                  attention_detail::in_turn(task % blocks, blocks),
                                                  work, result);
                                 });
  return result;
}

template Attended<float> attend(Score, const Operands<float>&, const Mask<float>&);
template Attended<double> attend(Score, const Operands<double>&, const Mask<double>&);

}  // namespace mct::attention
