// Parameters of any strategy in memory, for the tests of optimizers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "mctensor/eft/half.hpp"
#include "mctensor/optim/adamw.hpp"
#include "tests/optim/block_model.hpp"

namespace mct::test {

/// The arrays of `count` parameters.
struct Parameters {
  optim::Strategy strategy;
  optim::Format format;
  std::size_t count;
  optim::Layout layout;
  std::vector<unsigned char> theta, low, m, v, v_low, grad;

  Parameters(optim::Strategy s, optim::Format f, std::size_t n)
      : strategy(s), format(f), count(n), layout(optim::layout_of(s)) {
    theta.resize(n * layout.theta);
    // whole blocks, where they hold scales
    low.resize((layout.low == 1 ? (n + 15) / 16 * 16 : n) * layout.low);
    m.resize(n * layout.m);
    v.resize(n * layout.v);
    v_low.resize(n * layout.v_low);
    grad.resize(n * layout.grad);
  }

  /// Elements begin ... begin + n - 1, which are numbers first + begin ... of the whole.
  optim::AdamWMemory part(std::size_t begin, std::size_t n) {
    const auto at = [&](std::vector<unsigned char>& array, std::size_t size) -> void* {
      return size == 0 ? nullptr : array.data() + begin * size;
    };
    optim::AdamWMemory p;
    p.theta = at(theta, layout.theta);
    p.low = at(low, layout.low);
    p.m = at(m, layout.m);
    p.v = at(v, layout.v);
    p.v_low = at(v_low, layout.v_low);
    p.grad = at(grad, layout.grad);
    p.count = std::int64_t(n);
    p.first = std::int64_t(begin);
    return p;
  }
  optim::AdamWMemory all() { return part(0, count); }

  /// Reads and writes an array as numbers; the format of each array is that of the strategy.
  double get(const std::vector<unsigned char>& array, std::size_t size, std::size_t i) const {
    if (size == 4) {
      float x;
      std::memcpy(&x, array.data() + 4 * i, 4);
      return double(x);
    }
    std::uint16_t bits;
    std::memcpy(&bits, array.data() + 2 * i, 2);
    return format == optim::Format::float16 ? double(half::from_bits(bits))
                                            : double(bfloat16::from_bits(bits));
  }
  void set(std::vector<unsigned char>& array, std::size_t size, std::size_t i, double x) const {
    if (size == 4) {
      const auto value = float(x);
      std::memcpy(array.data() + 4 * i, &value, 4);
      return;
    }
    const std::uint16_t bits =
        format == optim::Format::float16 ? half(x).bits() : bfloat16(x).bits();
    std::memcpy(array.data() + 2 * i, &bits, 2);
  }
  void set_theta(std::size_t i, double x) {
    set(theta, layout.theta, i, x);
    if (strategy == optim::Strategy::master) set(low, 4, i, x);
  }
  /// Of split8: rounds the other v of the block to nearest, too.
  void set_v(std::size_t i, double x) {
    if (!has_blocks()) return set(v, layout.v, i, x);
    Block block = block_of(i);
    block.v[i % 16] = float(x);
    std::array<float, 16> half;
    half.fill(0.5F);
    block.store(low.data() + i / 16 * 16, m.data() + i / 16 * 16, v.data() + i / 16 * 16, half,
                half, std::min(count - i / 16 * 16, std::size_t(16)));
  }
  void set_grad(std::size_t i, double x) { set(grad, layout.grad, i, x); }
  double theta_at(std::size_t i) const { return get(theta, layout.theta, i); }
  double v_at(std::size_t i) const {
    return has_blocks() ? double(block_of(i).v[i % 16]) : get(v, layout.v, i);
  }
  bool has_blocks() const { return optim::composition_of(strategy).states == optim::Number::roots; }
  /// Of split8: the block of an element.
  Block block_of(std::size_t i) const {
    const std::size_t begin = i / 16 * 16;
    const std::size_t n = std::min(count - begin, std::size_t(16));
    std::array<std::uint16_t, 16> high{};
    std::memcpy(high.data(), theta.data() + 2 * begin, 2 * n);
    return Block(high.data(), low.data() + begin, m.data() + begin, v.data() + begin, n);
  }

  /// The parameter as the strategy holds it, lower component and master weights included.
  double value(std::size_t i) const {
    using optim::Strategy;
    if (strategy == Strategy::master) return get(low, 4, i);
    if (has_blocks()) return double(block_of(i).weight[i % 16]);
    if (optim::composition_of(strategy).low == optim::LowPart::lower_bits) {
      std::int16_t lower;
      std::memcpy(&lower, low.data() + 2 * i, 2);
      const auto bits = std::bit_cast<std::uint32_t>(float(theta_at(i)));
      return double(std::bit_cast<float>(bits + std::uint32_t(std::int32_t(lower))));
    }
    return layout.low == 2 ? theta_at(i) + get(low, 2, i) : theta_at(i);
  }

  /// Random parameters and gradients; some zeros.
  void randomize(std::mt19937_64& random, double gradient_scale = 1e-3) {
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < count; ++i) set_theta(i, random() % 8 == 0 ? 0 : normal(random));
    new_gradients(random, gradient_scale);
  }
  void new_gradients(std::mt19937_64& random, double gradient_scale = 1e-3) {
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < count; ++i)
      set_grad(i, random() % 8 == 0 ? 0 : normal(random) * gradient_scale);
  }

  bool operator==(const Parameters& other) const {
    return theta == other.theta && low == other.low && m == other.m && v == other.v &&
           v_low == other.v_low;
  }
};

inline std::vector<optim::Format> formats_of(optim::Strategy strategy) {
  if (optim::composition_of(strategy).has_format(optim::Format::float16))
    return {optim::Format::bfloat16, optim::Format::float16};
  return {optim::Format::bfloat16};
}

}  // namespace mct::test
