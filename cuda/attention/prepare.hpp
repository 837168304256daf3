// Programs that bring a caller's operands into the form that attention reads.
#pragma once

#include <numbers>

#include "cuda/attention/bfloat16_pair.hpp"
#include "cuda/attention/operands.hpp"
#include "cuda/attention/weight.hpp"
#include "cuda/base/thread_number.hpp"
#include "mctensor/eft/value.hpp"

namespace mct::cuda {

/// Splits rows of floats into sums of two bfloat16, which hold 16 bits of each float:
/// |x - (high + low)| <= 2^-17 |x| while `low` is normal. Columns after a row, up to the width (a
/// multiple of 8), are 0.
///
/// Grid: (rows width / 8 / threads, rounded up).
struct SplitVectors {
  static constexpr int threads = 256, blocks_per_sm = 8;
  static constexpr int chunk = 8;

  const float* from;  // (rows, columns)
  std::int64_t rows;
  int columns, width;
  bool wide_loads;  // columns a multiple of 4, the base aligned to 16 bytes
  bfloat16* to;     // (rows, width); the low parts are `plane` further
  std::int64_t plane;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t at = thread_number<threads>(team) * chunk;
    if (at >= rows * width) return;
    const std::int64_t row = at / width;
    const int column = int(at - row * width);
    const float* const p = from + row * columns + column;
    Pack<float, 4> x[2];
    MCT_UNROLL
    for (int h = 0; h < 2; ++h) {
      x[h] = {};
      if (wide_loads && column + 4 * h < columns) {
        x[h] = team.template load<4>(p + 4 * h);
      } else {
        MCT_UNROLL
        for (int k = 0; k < 4; ++k)
          if (column + 4 * h + k < columns) x[h][k] = team.template load<1>(p + 4 * h + k)[0];
      }
    }
    Pack<bfloat16, chunk> high, low;
    MCT_UNROLL
    for (int k = 0; k < chunk; ++k) {
      const float value = x[k / 4][k % 4];
      high[k] = round_to_bfloat16(value);
      low[k] = round_to_bfloat16(value - float(high[k]));
    }
    team.store(to + at, high);
    team.store(to + plane + at, low);
  }
};

/// Fills the first planes of NumbersView: the squared lengths, in float, of vectors of Parts parts,
/// and the numbers of each vector.
///
/// Grid: (padded / vectors, groups).
template <int Parts>
struct GatherNumbers {
  static constexpr int threads = 256, blocks_per_sm = 8;
  static constexpr int lanes = 8;  // of a vector
  static constexpr int vectors = threads / lanes;

  VectorsView x;
  const float* numbers;  // (groups, vectors, count)
  int count;
  float* to;  // (groups, planes, padded)
  int planes, padded;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const int lane = team.rank() % lanes;
    const int vector = team.block_x() * vectors + team.rank() / lanes;
    const bool inside = vector < x.count;
    const std::int64_t at = std::int64_t(team.block_y()) * x.count + vector;
    float length = 0;
    for (int c = lane * 8; inside && c < x.width; c += lanes * 8) {
      Pack<bfloat16, 8> parts[Parts];
      MCT_UNROLL
      for (int p = 0; p < Parts; ++p)
        parts[p] = team.template load<8>(x.data + p * x.plane + at * x.width + c);
      MCT_UNROLL
      for (int k = 0; k < 8; ++k) {
        float value = float(parts[0][k]);
        if constexpr (Parts == 2) value = value + float(parts[1][k]);
        length = detail::fused_multiply_add(value, value, length);
      }
    }
    MCT_UNROLL
    for (int mask = 1; mask < lanes; mask *= 2) length = length + team.shuffle_xor(length, mask);
    float* const plane = to + std::int64_t(team.block_y()) * planes * padded + vector;
    if (lane == 0) team.template store<1>(plane, {{length}});
    for (int n = lane; n < count; n += lanes)
      team.template store<1>(
          plane + std::int64_t(1 + n) * padded,
          {{inside ? team.template load<1>(numbers + at * count + n)[0] : 0.0F}});
  }
};

/// Fills the last two planes of a query's numbers: the offset of WeightScale that turns its scores
/// into weights, and the mean of the weights' gradients, which is the inner product of the result
/// and its gradient, in float.
///
/// Grid: (padded / vectors, groups).
template <class T>
struct GatherSoftmax {
  static constexpr int threads = 256, blocks_per_sm = 8;
  static constexpr int lanes = 8;  // of a query
  static constexpr int vectors = threads / lanes;

  VectorsView gradient;
  const T* result;       // (groups, queries, width)
  const bfloat16* rest;  // rounding errors of result, if T is bfloat16
  const float* log_sum;  // (groups, queries)
  float* to;             // the first of the two planes of group 0
  int planes, padded;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const int lane = team.rank() % lanes;
    const int query = team.block_x() * vectors + team.rank() / lanes;
    const bool inside = query < gradient.count;
    const std::int64_t at = std::int64_t(team.block_y()) * gradient.count + query;
    constexpr int chunk = widest<T>;
    float mean = 0;
    for (int c = lane * chunk; inside && c < gradient.width; c += lanes * chunk) {
      const auto x = team.template load<chunk>(result + at * gradient.width + c);
      float value[chunk], g[chunk] = {};
      MCT_UNROLL
      for (int k = 0; k < chunk; ++k) value[k] = float(x[k]);
      if constexpr (parts_of<T> == 1) {
        const auto more = team.template load<chunk>(rest + at * gradient.width + c);
        MCT_UNROLL
        for (int k = 0; k < chunk; ++k) value[k] = value[k] + float(more[k]);
      }
      MCT_UNROLL
      for (int p = 0; p < parts_of<T>; ++p) {
        const auto part =
            team.template load<chunk>(gradient.data + p * gradient.plane + at * gradient.width + c);
        MCT_UNROLL
        for (int k = 0; k < chunk; ++k) g[k] = g[k] + float(part[k]);
      }
      MCT_UNROLL
      for (int k = 0; k < chunk; ++k) mean = detail::fused_multiply_add(g[k], value[k], mean);
    }
    MCT_UNROLL
    for (int mask = 1; mask < lanes; mask *= 2) mean = mean + team.shuffle_xor(mean, mask);
    if (lane != 0) return;
    float* const plane = to + std::int64_t(team.block_y()) * planes * padded + query;
    const float sum = inside ? team.template load<1>(log_sum + at)[0] : 0.0F;
    using Scale = WeightScale<parts_of<T> == 1>;
    const float offset = Scale::of(sum * std::numbers::log2e_v<float>).offset;
    team.template store<1>(plane, {{inside ? offset : Scale::nothing}});
    team.template store<1>(plane + padded, {{mean}});
  }
};

}  // namespace mct::cuda

/// The list of the library's programs, for the source that compiles them.
#define MCT_FOR_EACH_ATTENTION_PREPARATION(DO) \
  DO(SplitVectors)                             \
  DO(GatherNumbers<1>)                         \
  DO(GatherNumbers<2>)                         \
  DO(GatherSoftmax<bfloat16>)                  \
  DO(GatherSoftmax<float>)
