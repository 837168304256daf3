// Attention on a simulated GPU: what launches would do, on tensors of the host.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "cuda/attention/backward.hpp"
#include "cuda/attention/forward.hpp"
#include "cuda/attention/prepare.hpp"
#include "mctensor/attention/streaming.hpp"
#include "mctensor/tensor/create.hpp"
#include "src/attention/bias_layout.hpp"
#include "tests/attention/score_operands.hpp"
#include "tests/cuda/simulator/simulate.hpp"

namespace mct::cuda::testing {

using Operands = attention::Operands<float>;

/// A tensor whose values are sums of so many bfloat16.
inline Tensor<float> rounded(const Tensor<float>& x, int parts) {
  auto values = x.values();
  for (float& each : values) {
    float sum = 0;
    for (int p = 0; p < parts; ++p) sum += float(bfloat16(each - sum));
    each = sum;
  }
  return Tensor<float>::from_values(values, x.shape());
}

/// A mask without a bias.
inline attention::Mask<float> causal_if(bool causal) {
  attention::Mask<float> mask;
  mask.causal = causal;
  return mask;
}
/// That of one group.
inline attention::Mask<float> group_of(attention::Mask<float> mask, std::int64_t group) {
  if (mask.bias.dim() > (mask.by_offset ? 1 : 2))
    mask.bias = mask.bias.select(0, mask.bias.size(0) == 1 ? 0 : group);
  return mask;
}

/// Two groups of operands that T holds.
template <class T>
Operands operands(attention::Score score, std::int64_t queries, std::int64_t keys, std::int64_t d,
                  std::int64_t e, std::uint64_t seed) {
  Operands of = mct::testing::operands<float>(score, {2}, queries, keys, d, e, seed);
  for (Tensor<float>* each : {&of.x, &of.y, &of.v}) *each = rounded(*each, parts_of<T>);
  return of;
}

inline Operands group_of(const Operands& of, std::int64_t group) {
  const auto part = [&](const Tensor<float>& x) {
    return x.dim() < 3 ? Tensor<float>() : x.select(0, group);
  };
  return {part(of.x), part(of.a), part(of.y), part(of.b), part(of.v)};
}

constexpr int round_up(int x, int step) { return (x + step - 1) / step * step; }

/// Vectors (groups, count, columns) in global memory, of T.
template <class T>
struct DeviceVectors {
  int groups, count, columns, width;
  std::vector<bfloat16> data;

  DeviceVectors(const Tensor<float>& x, const Simulation& how)
      : groups(int(x.size(0))),
        count(int(x.size(1))),
        columns(int(x.size(2))),
        width(round_up(columns, 8)),
        data(std::size_t(plane() * parts_of<T>), bfloat16(0)) {
    const auto values = x.values();
    if constexpr (parts_of<T> == 1) {
      for (std::size_t i = 0; i < values.size(); ++i)
        data[i / std::size_t(columns) * std::size_t(width) + i % std::size_t(columns)] =
            bfloat16(float(values[i]));
    } else {
      const std::vector<float> from(values.begin(), values.end());
      std::vector<bfloat16> to(data.size());
      GlobalMemory memory;
      memory.add(from).add_output(to);
      simulate(SplitVectors{from.data(), groups * count, columns, width, columns % 4 == 0,
                            to.data(), plane()},
               {round_up(int(plane()) / 8, SplitVectors::threads) / SplitVectors::threads}, memory,
               how);
      data = to;
    }
  }
  std::int64_t plane() const { return std::int64_t(groups) * count * width; }
  VectorsView view() const { return {data.data(), plane(), count, width}; }
};

/// Numbers of vectors in global memory.
template <class T>
struct DeviceNumbers {
  int planes, padded;
  std::vector<float> data;

  /// With `more` planes after them.
  DeviceNumbers(const DeviceVectors<T>& x, const Tensor<float>& numbers, int more,
                const Simulation& how)
      : planes(1 + (numbers.dim() < 3 ? 0 : int(numbers.size(2))) + more),
        padded(round_up(std::max(x.count, 1), numbers_step)),
        data(std::size_t(x.groups * planes * padded)) {
    const auto values = numbers.values();
    const std::vector<float> from(values.begin(), values.end());
    GlobalMemory memory;
    memory.add(x.data).add(from).add_output(data);
    using Gather = GatherNumbers<parts_of<T>>;
    simulate(Gather{x.view(), from.data(), planes - 1 - more, data.data(), planes, padded},
             {padded / Gather::vectors, x.groups}, memory, how);
  }
  NumbersView view() const { return {data.data(), planes, padded}; }
};

template <class T>
struct DeviceOperands {
  DeviceVectors<T> x, y, v;
  DeviceNumbers<T> a, b;

  DeviceOperands(const attention::Operands<float>& of, const Simulation& how)
      : x(of.x, how), y(of.y, how), v(of.v, how), a(x, of.a, 2, how), b(y, of.b, 0, how) {}
};

/// A bias of the scores in global memory.
struct DeviceBias {
  std::vector<float> data;
  std::vector<std::int64_t> offsets;
  BiasView view;

  DeviceBias(const attention::Mask<float>& mask, int groups, int queries, int keys) {
    if (mask.bias.numel() == 0) return;
    const auto values = mask.bias.values();
    data = {values.begin(), values.end()};
    const Shape& shape = mask.bias.shape();
    const auto layout = attention_detail::bias_layout(
        shape, contiguous_strides(shape), mask.by_offset, {groups}, {groups, queries, keys, 0, 0});
    for (int group = 0; group < groups; ++group) offsets.push_back(layout.offset(group));
    view = {data.data(), offsets.data(), layout.query, int(layout.key)};
  }
};

/// Whether tests of every score go through these programs: of compiled ones there are some.
template <class S, int D, class T>
bool has_programs() {
  using InPlace = InPlaceOf<AttentionForward<S, D, T, false>>;
  if constexpr (InPlace::any) {
    return !InPlace::is_missing();
  } else {
    return true;
  }
}

/// Results as the kernels leave them.
template <class T>
struct DeviceAttended {
  std::vector<T> values;  // (groups, queries, width)
  std::vector<bfloat16> rest;
  std::vector<float> log_sum;  // (groups, queries)
};

/// Biased: with a bias that the mask has.
template <class S, int D, class T, bool Biased = false,
          template <class, int, class> class Unit = ByWarps>
DeviceAttended<T> attend(const DeviceOperands<T>& of, const attention::Mask<float>& mask,
                         const Simulation& how) {
  using Program = AttentionForward<S, D, T, Biased, Unit>;
  const DeviceBias bias(mask, of.x.groups, of.x.count, of.y.count);
  const int rows = of.x.groups * of.x.count;
  DeviceAttended<T> result{std::vector<T>(std::size_t(rows * of.v.width)),
                           std::vector<bfloat16>(std::size_t(rows * of.v.width)),
                           std::vector<float>(std::size_t(rows))};
  GlobalMemory memory;
  memory.add(of.x.data).add(of.y.data).add(of.v.data).add(of.a.data).add(of.b.data);
  memory.add(bias.data).add(bias.offsets);
  memory.add_output(result.values).add_output(result.rest).add_output(result.log_sum);
  simulate(Program{of.x.view(),
                   of.y.view(),
                   of.v.view(),
                   of.a.view(),
                   of.b.view(),
                   {of.x.count, of.y.count, mask.causal},
                   result.values.data(),
                   result.rest.data(),
                   result.log_sum.data(),
                   bias.view},
           {round_up(of.x.count, Program::queries) / Program::queries, of.x.groups}, memory, how);
  return result;
}

/// Gradients as the kernels leave them.
template <class T>
struct DeviceGradients {
  std::vector<T> x, y, v;
  std::vector<float> a, b;
};

template <class S, int D, class T, bool Biased = false>
DeviceGradients<T> attend_backward(DeviceOperands<T>& of, const DeviceAttended<T>& result,
                                   const Tensor<float>& gradient,
                                   const attention::Mask<float>& mask, const Simulation& how) {
  const DeviceVectors<T> g(gradient, how);
  const int planes = of.a.planes;
  {
    GlobalMemory memory;
    memory.add(g.data).add(result.values).add(result.rest).add(result.log_sum).add(of.a.data);
    using Gather = GatherSoftmax<T>;
    simulate(Gather{g.view(), result.values.data(), result.rest.data(), result.log_sum.data(),
                    of.a.data.data() + std::int64_t(planes - 2) * of.a.padded, planes, of.a.padded},
             {of.a.padded / Gather::vectors, g.groups}, memory, how);
  }
  const AttentionSide queries{of.x.view(), g.view(), of.a.view()};
  const AttentionSide keys{of.y.view(), of.v.view(), of.b.view()};
  const PairSizes sizes{of.x.count, of.y.count, mask.causal};
  const DeviceBias bias(mask, of.x.groups, of.x.count, of.y.count);
  const auto size = [](const DeviceVectors<T>& x) { return std::size_t(x.plane()); };
  const auto numbers = [](const DeviceVectors<T>& x, int count) {
    return std::vector<float>(std::size_t(x.groups * x.count * count));
  };
  DeviceGradients<T> to{std::vector<T>(size(of.x)), std::vector<T>(size(of.y)),
                        std::vector<T>(size(of.v)), numbers(of.x, S::queries),
                        numbers(of.y, S::keys)};
  GlobalMemory memory;
  memory.add(of.x.data).add(of.y.data).add(of.v.data).add(g.data).add(of.a.data).add(of.b.data);
  memory.add(bias.data).add(bias.offsets);
  memory.add_output(to.x).add_output(to.y).add_output(to.v).add_output(to.a).add_output(to.b);
  using Queries = AttentionBackward<S, D, T, true, Biased>;
  simulate(Queries{queries, keys, sizes, to.x.data(), to.a.data(), nullptr, bias.view},
           {round_up(of.x.count, Queries::rows) / Queries::rows, of.x.groups}, memory, how);
  using Keys = AttentionBackward<S, D, T, false, Biased>;
  simulate(Keys{queries, keys, sizes, to.y.data(), to.b.data(), to.v.data(), bias.view},
           {round_up(of.y.count, Keys::rows) / Keys::rows, of.x.groups}, memory, how);
  return to;
}

}  // namespace mct::cuda::testing
