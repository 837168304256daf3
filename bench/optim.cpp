// AdamW steps of 1e8 parameters beside the STREAM triad that moves as many bytes, and beside float
// master weights. All threads; nanoseconds per parameter. Then 10^7 parameters in one array and in
// 10 000, as raw memory and through the class, and what is done to their gradients.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/registry.hpp"
#include "mctensor/optim/gradients.hpp"
#include "mctensor/optim/mc_adamw.hpp"
#include "mctensor/tensor/parallel_for.hpp"
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

/// An array whose pages exist.
template <class T>
std::unique_ptr<T[]> touched(std::int64_t count) {
  std::unique_ptr<T[]> data(new T[std::size_t(count)]);
  std::fill_n(data.get(), count, T(0));
  return data;
}

/// metric_sample: 0 without metrics.
void step(benchmark::State& state, Strategy strategy, int metric_sample) {
  const Layout layout = optim::layout_of(strategy);
  const auto bytes = [](std::int64_t elements, std::size_t size) {
    return touched<unsigned char>(elements * std::int64_t(size));
  };
  std::vector<std::unique_ptr<unsigned char[]>> kept;
  optim::AdamWMemory memory;
  for (const optim::KeptArray& array : optim::kept_arrays)
    if (array.is_needed(layout)) {
      kept.push_back(bytes(array.elements(parameters, layout), layout.*array.size));
      memory.*array.data = kept.back().get();
    }
  const auto grad = bytes(parameters, layout.grad);
  const auto words = std::int64_t(layout.grad) * parameters / 2;
  // gradients of 1 in bfloat16, of some size in float
  auto* grads = reinterpret_cast<std::uint16_t*>(grad.get());
  for (std::int64_t i = 0; i < words; ++i) grads[i] = std::uint16_t(0x3f80 + (i & 15));
  memory.grad = grad.get();
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
    parallel_for(parameters, double(parameters), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) x[i] = y[i] + s * z[i];
    });
    benchmark::ClobberMemory();
  }
}

/// What the cases below have 10^7 elements of: in one array, or in 10 000.
constexpr std::int64_t elements = 10'000'000;

/// The arrays of light, each kind end to end as McAdamW keeps its states.
class LightArrays {
 public:
  explicit LightArrays(std::int64_t count) : memory(std::size_t(count)) {
    const std::int64_t size = elements / count;
    for (auto& array : arrays_) array = touched<std::uint16_t>(elements);
    for (std::int64_t i = 0; i < elements; ++i) arrays_[4][std::size_t(i)] = 0x3f80;
    for (std::int64_t i = 0; i < count; ++i) {
      auto& part = memory[std::size_t(i)];
      const auto at = [&](std::size_t k) { return arrays_[k].get() + i * size; };
      part.theta = at(0);
      part.low = at(1);
      part.m = at(2);
      part.v = at(3);
      part.grad = at(4);
      part.count = size;
      part.first = (size + 127) / 128 * 128 * i;
    }
  }
  std::vector<optim::AdamWMemory> memory;

 private:
  std::array<std::unique_ptr<std::uint16_t[]>, 5> arrays_;
};

void one_call(benchmark::State& state, std::int64_t count) {
  const LightArrays arrays(count);
  std::int64_t t = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        adamw_step(Strategy::light, optim::Format::bfloat16, arrays.memory, {}, ++t).nonfinite);
}
void separate_calls(benchmark::State& state, std::int64_t count) {
  const LightArrays arrays(count);
  std::int64_t t = 0;
  for (auto _ : state) {
    ++t;
    for (const auto& memory : arrays.memory)
      benchmark::DoNotOptimize(
          adamw_step(Strategy::light, optim::Format::bfloat16, memory, {}, t).nonfinite);
  }
}

/// Variables of 10^7 elements together, all gradients 1.
template <class P>
std::vector<Variable<P>> variables(std::int64_t count) {
  std::vector<Variable<P>> all;
  const Shape shape{elements / count};
  for (std::int64_t i = 0; i < count; ++i) {
    all.emplace_back(full<P, 1>(shape, P(1.0F)), true);
    all.back().set_grad(full<P, 1>(shape, P(1.0F)));
  }
  return all;
}
/// A call over weights and gradients that lie as those of variables do, and states end to end: what
/// the class adds to it is its own time.
void call_over_variables(benchmark::State& state, std::int64_t count) {
  const auto all = variables<bfloat16>(count);
  LightArrays arrays(count);
  for (std::size_t i = 0; i < all.size(); ++i) {
    arrays.memory[i].theta = all[i].value().data();
    arrays.memory[i].grad = all[i].grad().data();
  }
  std::int64_t t = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        adamw_step(Strategy::light, optim::Format::bfloat16, arrays.memory, {}, ++t).nonfinite);
}
/// With max_grad_norm unless it is 0.
template <class P>
void class_step(benchmark::State& state, std::int64_t count, double max_grad_norm) {
  optim::McAdamW<bfloat16, P> adam(variables<P>(count), Strategy::light);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        (max_grad_norm > 0 ? adam.step(max_grad_norm) : adam.step()).nonfinite);
}
template <class P>
void norm(benchmark::State& state, std::int64_t count) {
  const auto all = variables<P>(count);
  for (auto _ : state) benchmark::DoNotOptimize(optim::grad_norm(all));
}
template <class P>
void clip(benchmark::State& state, std::int64_t count) {
  const auto all = variables<P>(count);
  double max_norm = optim::grad_norm(all);  // always below what it is
  for (auto _ : state) benchmark::DoNotOptimize(optim::clip_grad_norm(all, max_norm *= 0.99));
}
template <class P>
void count(benchmark::State& state, std::int64_t arrays) {
  const auto all = variables<P>(arrays);
  for (auto _ : state) benchmark::DoNotOptimize(optim::count_nonfinite(all));
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
  for (const std::int64_t count_of_arrays : {1, 10'000}) {
    const std::string work = "light " + std::to_string(count_of_arrays) + " x " +
                             std::to_string(elements / count_of_arrays);
    const auto enter_all = [&](const std::string& name, auto run) {
      enter(work, name, double(elements),
            [=](benchmark::State& state) { run(state, count_of_arrays); });
    };
    enter_all("ours", one_call);
    enter_all("ours, separate calls", separate_calls);
    enter_all("ours, over variables", call_over_variables);
    enter_all("McAdamW, bf16 variables",
              [](auto& state, auto arrays) { class_step<bfloat16>(state, arrays, 0); });
    enter_all("McAdamW, bf16 variables, clipped",
              [](auto& state, auto arrays) { class_step<bfloat16>(state, arrays, 1); });
    enter_all("McAdamW, f32 variables",
              [](auto& state, auto arrays) { class_step<float>(state, arrays, 0); });
    enter_all("grad_norm, bf16", norm<bfloat16>);
    enter_all("grad_norm, f32", norm<float>);
    enter_all("clip_grad_norm, f32", clip<float>);
    enter_all("count_nonfinite, bf16", count<bfloat16>);
  }
}

}  // namespace mct::bench
