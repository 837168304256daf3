// Tensors with the states of an AdamW strategy, and their steps by the library and on a grid.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "cuda/optim/adamw_choose.hpp"
#include "mctensor/eft/half.hpp"
#include "src/optim/adamw_constants.hpp"
#include "src/optim/adamw_floats.hpp"
#include "tests/cuda/simulator/simulate.hpp"

namespace mct::cuda::testing {

using optim::AdamWMemory;
using optim::AdamWOptions;
using optim::Format;
using optim::kept_arrays;
using optim::Strategy;

/// The arrays of a strategy for several tensors.
class Tensors {
 public:
  struct Size {
    std::int64_t count, first;
  };

  Tensors(Strategy strategy, Format format, const std::vector<Size>& sizes, bool amsgrad = false)
      : strategy_(strategy), format_(format), memory_(sizes.size()) {
    const optim::Layout layout = optim::layout_of(strategy);
    bytes_.resize(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      memory_[i].count = sizes[i].count;
      memory_[i].first = sizes[i].first / layout.unit() * layout.unit();
      for (std::size_t k = 0; k < kept_arrays.size(); ++k)
        if (kept_arrays[k].is_needed(layout) || (kept_arrays[k].of_amsgrad && amsgrad) ||
            (k == optim::place_of("marks") && can_have_marks(memory_[i])))
          bytes_[i].emplace_back(std::size_t(kept_arrays[k].elements(sizes[i].count, layout)) *
                                 layout.*kept_arrays[k].size);
        else
          bytes_[i].emplace_back();
      bytes_[i].emplace_back(std::size_t(sizes[i].count) * layout.grad);
    }
    place();
  }
  Tensors(const Tensors& other) : Tensors(other.strategy_, other.format_, other) {}
  Tensors& operator=(const Tensors&) = delete;

  const std::vector<AdamWMemory>& memory() const { return memory_; }
  Strategy strategy() const { return strategy_; }
  Format format() const { return format_; }
  bool is_float() const { return optim::layout_of(strategy_).theta == sizeof(float); }

  void set_weights(const std::vector<float>& of_all) {
    std::size_t begin = 0;
    for (const AdamWMemory& m : memory_) {
      const float* const weights = of_all.data() + begin;
      optim_detail::split_weights(strategy_, format_, weights, m);
      begin += std::size_t(m.count);
    }
  }
  void set_gradient(std::size_t tensor, std::size_t i, float x) {
    unsigned char* const to = bytes_[tensor].back().data();
    if (is_float()) {
      std::memcpy(to + 4 * i, &x, 4);
    } else {
      const std::uint16_t bits = format_ == Format::float16 ? half(x).bits() : bfloat16(x).bits();
      std::memcpy(to + 2 * i, &bits, 2);
    }
  }
  template <class Number>
  void set_gradients(const Number& number) {
    for (std::size_t t = 0; t < memory_.size(); ++t)
      for (std::size_t i = 0; i < std::size_t(memory_[t].count); ++i)
        set_gradient(t, i, number(t, i));
  }
  std::vector<unsigned char>& bytes(std::size_t tensor, std::size_t array) {
    return bytes_[tensor][array];
  }

  /// All arrays may be touched, gradients only read.
  void add_to(GlobalMemory& memory) const {
    for (const auto& arrays : bytes_) {
      for (std::size_t k = 0; k + 1 < arrays.size(); ++k)
        if (!arrays[k].empty()) memory.add(const_cast<std::vector<unsigned char>&>(arrays[k]));
      memory.add(arrays.back());
    }
  }

  /// Float weights of a tensor.
  std::vector<float> weights(std::size_t tensor) const {
    const AdamWMemory& m = memory_[tensor];
    std::vector<float> result(std::size_t(m.count));
    optim_detail::join_weights(strategy_, format_, m, result.data());
    return result;
  }

  /// Empty, or where two differ. A weight that is NaN in both is the same: which NaN an operation
  /// makes of two depends on the order that a compiler chooses.
  std::string difference(const Tensors& other) const {
    for (std::size_t t = 0; t < bytes_.size(); ++t) {
      const auto own_weights = weights(t);
      const auto other_weights = other.weights(t);
      for (std::size_t k = 0; k < kept_arrays.size(); ++k) {
        const bool is_weight = k == optim::place_of("theta") || k == optim::place_of("low");
        const std::size_t size = optim::layout_of(strategy_).*kept_arrays[k].size;
        for (std::size_t b = 0; b < bytes_[t][k].size(); ++b) {
          if (bytes_[t][k][b] == other.bytes_[t][k][b]) continue;
          const std::size_t i = b / size;
          if (k == optim::place_of("marks") && has_nan(own_weights, i) && has_nan(other_weights, i))
            continue;
          if (is_weight && i < own_weights.size() && std::isnan(own_weights[i]) &&
              std::isnan(other_weights[i]))
            continue;
          return std::string(kept_arrays[k].name) + " of tensor " + std::to_string(t) +
                 ", element " + std::to_string(i);
        }
      }
    }
    return {};
  }

 private:
  Tensors(Strategy strategy, Format format, const Tensors& other)
      : strategy_(strategy), format_(format), memory_(other.memory_), bytes_(other.bytes_) {
    place();
  }
  static bool can_have_marks(const AdamWMemory& m) {
    const std::int64_t offset = m.first % optim::scale_group;
    return offset == 0 || offset + m.count <= optim::scale_group;
  }
  /// Whether a weight of group i is NaN, whose bits the mark of the group has.
  static bool has_nan(const std::vector<float>& weights, std::size_t group) {
    const std::size_t length = optim_detail::group_length;
    const std::size_t end = std::min(weights.size(), (group + 1) * length);
    return std::any_of(weights.begin() + std::ptrdiff_t(group * length),
                       weights.begin() + std::ptrdiff_t(end),
                       [](float x) { return std::isnan(x); });
  }
  void place() {
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      for (std::size_t k = 0; k < kept_arrays.size(); ++k)
        memory_[i].*kept_arrays[k].data = bytes_[i][k].empty() ? nullptr : bytes_[i][k].data();
      memory_[i].grad = bytes_[i].back().data();
    }
  }

  Strategy strategy_;
  Format format_;
  std::vector<AdamWMemory> memory_;
  std::vector<std::vector<std::vector<unsigned char>>> bytes_;  // tensor, array; last the gradient
};

/// How a step runs on a grid.
struct GridStep {
  int blocks = 2;
  bool rare = false;
  Simulation how = {};
  bool skip = false;
};

/// One step of the program that the options need; what it counted and measured.
template <class T>
AdamWTotals step_on_grid(const Tensors& tensors, const AdamWOptions& options, std::int64_t step,
                         const GridStep& grid) {
  const auto list = tensors.memory();
  const auto chunks = chunks_of(list);
  const auto constants =
      optim_detail::constants_of(tensors.strategy(), tensors.format(), options, step);
  AdamWOptions others = options;  // what changes from step to step comes from memory
  others.seed += 1;
  others.lr *= 0.5;
  others.grad_scale *= 0.5;
  const auto kept =
      optim_detail::constants_of(tensors.strategy(), tensors.format(), others, step + 1);
  AdamWChoice choice{tensors.strategy(), options.arithmetic == optim::Arithmetic::strict, grid.rare,
                     options.metrics};
  std::vector<AdamWTotals> of_blocks(std::size_t(grid.blocks));
  const int sample = options.metrics ? options.metric_sample : 0;
  std::vector<StepControl> control = {StepControl::of(constants)};
  control[0].skip = int(grid.skip);
  control[0].phase = sample > 0 ? int(step % sample) : 0;
  GlobalMemory memory;
  tensors.add_to(memory);
  memory.add(list).add(chunks).add(control).add_output(of_blocks);
  const bool found = with_adamw<T>(choice, [&]<class Program>(std::type_identity<Program>) {
    Program program{list.data(),      chunks.data(), int(chunks.size()), kept, control.data(),
                    of_blocks.data(), sample};
    simulate(program, {grid.blocks}, memory, grid.how);
  });
  if (!found) throw std::logic_error("no program");
  AdamWTotals total;
  const bool counts = choice.strict || choice.rare || choice.measured;
  for (const AdamWTotals& of_block : of_blocks) {
    for (int q = 0; counts && q < AdamWTotals::sums; ++q) total.sum[q] += of_block.sum[q];
    for (int q = 0; counts && q < AdamWTotals::counts; ++q) total.count[q] += of_block.count[q];
  }
  return total;
}

}  // namespace mct::cuda::testing
