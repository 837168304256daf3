// Attention on a simulated GPU: what launches would do, on tensors of the host.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "cuda/attention/forward.hpp"
#include "cuda/attention/prepare.hpp"
#include "mctensor/attention/streaming.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/cuda/simulator/simulate.hpp"

namespace mct::cuda::testing {

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

  DeviceNumbers(const DeviceVectors<T>& x, const Tensor<float>& numbers, const Simulation& how)
      : planes(1 + (numbers.dim() < 3 ? 0 : int(numbers.size(2)))),
        padded(round_up(std::max(x.count, 1), 128)),
        data(std::size_t(x.groups * planes * padded)) {
    const auto values = numbers.values();
    const std::vector<float> from(values.begin(), values.end());
    GlobalMemory memory;
    memory.add(x.data).add(from).add_output(data);
    using Gather = GatherNumbers<parts_of<T>>;
    simulate(Gather{x.view(), from.data(), planes - 1, data.data(), padded},
             {padded / Gather::vectors, x.groups}, memory, how);
  }
  NumbersView view() const { return {data.data(), planes, padded}; }
};

template <class T>
struct DeviceOperands {
  DeviceVectors<T> x, y, v;
  DeviceNumbers<T> a, b;

  DeviceOperands(const attention::Operands<float>& of, const Simulation& how)
      : x(of.x, how), y(of.y, how), v(of.v, how), a(x, of.a, how), b(y, of.b, how) {}
};

/// Results as the kernels leave them.
template <class T>
struct DeviceAttended {
  std::vector<T> values;       // (groups, queries, width)
  std::vector<float> log_sum;  // (groups, queries)
};

template <class S, int D, class T>
DeviceAttended<T> attend(const DeviceOperands<T>& of, bool causal, const Simulation& how) {
  using Program = AttentionForward<S, D, T>;
  const int rows = of.x.groups * of.x.count;
  DeviceAttended<T> result{std::vector<T>(std::size_t(rows * of.v.width)),
                           std::vector<float>(std::size_t(rows))};
  GlobalMemory memory;
  memory.add(of.x.data).add(of.y.data).add(of.v.data).add(of.a.data).add(of.b.data);
  memory.add_output(result.values).add_output(result.log_sum);
  simulate(Program{of.x.view(),
                   of.y.view(),
                   of.v.view(),
                   of.a.view(),
                   of.b.view(),
                   {of.x.count, of.y.count, causal},
                   result.values.data(),
                   result.log_sum.data()},
           {round_up(of.x.count, Program::queries) / Program::queries, of.x.groups}, memory, how);
  return result;
}

}  // namespace mct::cuda::testing
