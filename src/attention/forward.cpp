// Attention, forward: a block of queries goes through the blocks of keys one after the other.
#include <cmath>
#include <limits>
#include <vector>

#include "src/attention/edges.hpp"
#include "src/attention/summands.hpp"

namespace mct::attention {

using namespace attention_detail;

namespace {

/// Memory of one thread.
template <class E>
struct Workspace {
  Buffer<E> tile, t, sums;
  std::vector<E> top, fade, sum;

  explicit Workspace(std::int64_t values)
      : tile(tile_queries * tile_keys<E>),
        // where numbers have derivatives, distances are examined beside the scores
        t(std::is_same_v<E, Moving> ? Buffer<E>(tile_queries * tile_keys<E>) : tile),
        sums(tile_queries * values),
        top(tile_queries),
        fade(tile_queries),
        sum(tile_queries) {}
};

/// Values of a padded width, and where results go.
template <class E>
struct Rows {
  Buffer<E> values;
  std::int64_t width;
  Buffer<E> out, log_sum;
};

template <class E>
void attend_block(const Packed<E>& of, const Rows<E>& rows_of, std::int64_t group,
                  std::int64_t block, Workspace<E>& work) {
  using std::log;
  const E nothing = -std::numeric_limits<E>::infinity();
  const auto& sizes = of.sizes();
  const std::int64_t first = block * tile_queries;
  const std::int64_t rows = of.queries_in(block);
  const std::int64_t width = rows_of.width;
  const Tile<E> sums = {work.sums.data(), rows, width, width};
  work.sums.fill(E(0));
  std::fill(work.top.begin(), work.top.end(), nothing);
  std::fill(work.sum.begin(), work.sum.end(), E(0));
  const Tile<E> tile = {work.tile.data(), rows, tile_keys<E>, tile_keys<E>};
  for (std::int64_t keys = 0; keys < of.key_blocks(); ++keys) {
    if (of.sees_nothing(first, rows, keys)) break;
    of.find_scores(group, first, rows, keys, work.t.data(), tile.data);
    of.tiles().soften(tile, work.top.data(), work.fade.data(), work.sum.data());
    if (of.has_dropout()) of.drop(group, first, rows, keys, tile.data);
    of.tiles().scale(sums, work.fade.data());
    const E* v = rows_of.values.data() + (group * sizes.keys + keys * tile_keys<E>)*width;
    of.tiles().add_product({tile.data, tile.stride, 1}, of.keys_in(keys),
                           {v, of.keys_in(keys), width, width}, sums);
  }
  E* out = rows_of.out.data() + (group * sizes.queries + first) * sizes.values;
  E* log_sum = rows_of.log_sum.data() + group * sizes.queries + first;
  for (std::int64_t i = 0; i < rows; ++i) {
    const E& sum = work.sum[std::size_t(i)];
    log_sum[i] = sum == E(0) ? nothing : work.top[std::size_t(i)] + log(sum);
    for (std::int64_t c = 0; c < sizes.values; ++c)
      out[i * sizes.values + c] = sum == E(0) ? E(0) : sums.row(i)[c] / sum;
  }
}

template <class E>
AttendedOf<E> attend_packed(const Packed<E>& packed, const OperandsOf<E>& of) {
  const auto& sizes = packed.sizes();
  Shape shape = of.x.shape();
  shape.back() = sizes.values;
  AttendedOf<E> result = {TensorOf<E>(shape),
                          TensorOf<E>::uninitialized(leading_shape(of.x.shape()))};
  if (sizes.keys == 0) {
    result.log_sum.fill_(
        typename TensorOf<E>::Value(-std::numeric_limits<component_t<E>>::infinity()));
    return result;
  }
  const Rows<E> rows = {padded_rows<E>(as_groups(of.v)), padded<E>(sizes.values),
                        Buffer<E>::of(result.values), Buffer<E>::of(result.log_sum)};
  const std::int64_t blocks = packed.query_blocks();
  tensor_detail::parallel_ranges(sizes.groups * blocks, tensor_detail::threads_for(cost_of(sizes)),
                                 [&](std::int64_t begin, std::int64_t end) {
                                   Workspace<E> work(rows.width);
                                   for (std::int64_t task = begin; task < end; ++task)
                                     attend_block(packed, rows, task / blocks,
                                                  in_turn(task % blocks, blocks), work);
                                 });
  rows.out.store(result.values);
  rows.log_sum.store(result.log_sum);
  return result;
}

template <class E>
AttendedOf<E> attend_elements(Score score, const OperandsOf<E>& of, const MaskOf<E>& mask) {
  if (!mask.seen.is_everything()) return attend_neighbours<E>(score, of, mask);
  return attend_packed<E>(Packed<E>(score, of, mask), of);
}

template <class E>
AttendedOf<E> attend_sum_elements(const std::vector<SummandOf<E>>& summands, const TensorOf<E>& v,
                                  const MaskOf<E>& mask) {
  require_summands(summands.size(), !mask.seen.is_everything());
  return attend_packed<E>(packed_sum<E>(summands, 0, v, mask), operands_of<E>(summands[0], v));
}

}  // namespace

template <class T, int N>
Attended<T, N> attend(Score score, const Operands<T, N>& of, const Mask<T, N>& mask) {
  return attend_elements<Element<T, N>>(score, of, mask);
}
Attended<double, 2> attend_along(Score score, const Operands<double, 2>& of,
                                 const Mask<double, 2>& mask) {
  return attend_elements<Moving>(score, of, mask);
}
template <class T, int N>
Attended<T, N> attend_sum(const std::vector<Summand<T, N>>& summands, const Tensor<T, N>& v,
                          const Mask<T, N>& mask) {
  return attend_sum_elements<Element<T, N>>(summands, v, mask);
}

#define MCT_INSTANTIATE(T, N)                                                                \
  template Attended<T, N> attend(Score, const Operands<T, N>&, const Mask<T, N>&);           \
  template Attended<T, N> attend_sum(const std::vector<Summand<T, N>>&, const Tensor<T, N>&, \
                                     const Mask<T, N>&);
MCT_INSTANTIATE(float, 1)
MCT_INSTANTIATE(double, 1)
MCT_INSTANTIATE(double, 2)
#undef MCT_INSTANTIATE

}  // namespace mct::attention
