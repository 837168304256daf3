// AdamW steps of 1e8 parameters beside the STREAM triad that moves as many bytes, and beside float
// master weights. All threads; nanoseconds per parameter.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/registry.hpp"
#include "mctensor/optim/adamw.hpp"
#include "mctensor/tensor/threads.hpp"

namespace mct::bench {
namespace {

using optim::Layout;
using optim::Strategy;

constexpr std::int64_t parameters = 100'000'000;

/// Bytes that a step reads and writes for a parameter.
double traffic(const Layout& layout) {
  return 2 * (layout.bytes() - double(layout.grad)) + double(layout.grad);
}

/// An array whose pages exist, each written by the thread that will use it.
template <class T>
std::unique_ptr<T[]> touched(std::int64_t count) {
  std::unique_ptr<T[]> data(new T[std::size_t(count)]);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) data[std::size_t(i)] = T(0);
  return data;
}

/// metric_sample: 0 without metrics.
void step(benchmark::State& state, Strategy strategy, int metric_sample) {
  const Layout layout = optim::layout_of(strategy);
  const auto bytes = [](std::size_t size) {
    return touched<unsigned char>(std::int64_t(size) * parameters);
  };
  const auto theta = bytes(layout.theta);
  const auto low = bytes(layout.low);
  const auto m = bytes(layout.m);
  const auto v = bytes(layout.v);
  const auto v_low = bytes(layout.v_low);
  const auto grad = bytes(layout.grad);
  const auto scales = touched<float>(layout.scales > 0 ? parameters / 64 + 2 : 0);
  const auto words = std::int64_t(layout.grad) * parameters / 2;
  // gradients of 1 in bfloat16, of some size in float
  auto* grads = reinterpret_cast<std::uint16_t*>(grad.get());
  for (std::int64_t i = 0; i < words; ++i) grads[i] = std::uint16_t(0x3f80 + (i & 15));
  optim::AdamWMemory memory;
  memory.theta = theta.get();
  memory.low = low.get();
  memory.m = m.get();
  memory.v = v.get();
  memory.v_low = v_low.get();
  memory.grad = grad.get();
  memory.scales = scales.get();
  memory.count = parameters;
  optim::AdamWOptions options;
  options.metrics = metric_sample > 0;
  if (options.metrics) options.metric_sample = metric_sample;
  std::int64_t t = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        adamw_step(strategy, optim::Format::bfloat16, memory, options, ++t).nonfinite);
}

/// a = b + s c: 12 bytes an element, written ones not counted twice, as STREAM does.
void triad(benchmark::State& state) {
  const auto a = touched<float>(parameters);
  const auto b = touched<float>(parameters);
  const auto c = touched<float>(parameters);
  float* x = a.get();
  const float* y = b.get();
  const float* z = c.get();
  const float s = 3;
  for (auto _ : state) {
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < parameters; ++i) x[i] = y[i] + s * z[i];
    benchmark::ClobberMemory();
  }
}

}  // namespace

void add_optim(std::vector<Case>& cases) {
  const auto enter = [&](const std::string& work, const std::string& name, double items, auto run) {
    enter_items(cases, "optim/" + work, "bf16", name, items, run).real_time = true;
  };
  for (const Strategy strategy : optim::all_strategies()) {
    const std::string work = to_string(strategy);
    enter(work, "ours", double(parameters),
          [=](benchmark::State& state) { step(state, strategy, 0); });
    enter(work, "STREAM triad, same bytes",
          double(parameters) * 12 / traffic(optim::layout_of(strategy)), triad);
    if (strategy == Strategy::light || strategy == Strategy::plus ||
        strategy == Strategy::residual) {
      enter(work, "ours with metrics", double(parameters),
            [=](benchmark::State& state) { step(state, strategy, 1); });
      enter(work, "ours, metrics of an eighth", double(parameters),
            [=](benchmark::State& state) { step(state, strategy, 8); });
      enter(work, "ours, option D (master)", double(parameters),
            [](benchmark::State& state) { step(state, Strategy::master, 0); });
    }
  }
}

}  // namespace mct::bench
