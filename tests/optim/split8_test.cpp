// Strategy::split8: bit for bit what its documentation says, and its edges.
#include <limits>

#include "mctensor/optim/bias_correction.hpp"
#include "mctensor/optim/weights.hpp"
#include "mctensor/tensor/philox.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using namespace optim;

/// The random words of an element, as src/optim/kernels/element_random.hpp defines them.
struct Words {
  std::uint32_t theta, m, v;
};
Words random_words(std::uint64_t seed, std::int64_t step, std::size_t element) {
  const auto of_step =
      philox4x32({std::uint32_t(step), 0, 0, 0}, {std::uint32_t(seed), std::uint32_t(seed >> 32)});
  const auto two = [&](std::size_t i) { return of_step[i] | std::uint64_t(of_step[i + 1]) << 32; };
  std::uint64_t group = two(0) + element / 128 * 0x9e3779b97f4a7c15u;
  group = (group ^ (group >> 30)) * 0xbf58476d1ce4e5b9u;
  group = (group ^ (group >> 27)) * 0x94d049bb133111ebu;
  group = group ^ (group >> 31) ^ two(2);
  std::uint32_t x = std::uint32_t(group) + std::uint32_t(element % 128) * 0x9e3779b9u;
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15) ^ std::uint32_t(group >> 32)) * 0x846ca68bu;
  const std::uint32_t mixed = x ^ (x >> 16);
  return {mixed, mixed & 0xffffu, x & 0xffffu};
}
float uniform(unsigned bits) { return (float(bits) + 0.5F) / 65536; }

/// weight + update as a float of 23 bits: what a float cannot hold is rounded with the lower 23
/// random bits, the rest with the other 9. The sum is exact in double.
float short_sum(float weight, float update, std::uint32_t bits) {
  const double exact = double(weight) + double(update);
  auto sum = float(exact);
  const double error = exact - double(sum);
  const float beyond = std::nextafter(sum, error > 0 ? HUGE_VALF : -HUGE_VALF);
  const double drawn = (double(bits & 0x7fffffu) + 0.5) * 0x1p-23;
  if (std::fabs(error) > drawn * std::fabs(double(beyond) - double(sum))) sum = beyond;
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(sum) + (bits >> 23)) & ~0x1ffu);
}

/// The step of a block in plain floats.
void model_step(Parameters& p, std::size_t begin, const AdamWOptions& o, std::int64_t t) {
  const std::size_t n = std::min(p.count - begin, std::size_t(16));
  Block block = p.block_of(begin);
  const double correction1 = bias_correction(o.beta1, double(t));
  const auto per_correction2 = float(1 / bias_correction(o.beta2, double(t)));
  const float size = -float(o.lr / correction1);
  const auto decay = float(o.lr * o.weight_decay);
  std::array<float, 16> u_m{};
  std::array<float, 16> u_v{};
  for (std::size_t i = 0; i < n; ++i) {
    const float g = float(p.get(p.grad, 2, begin + i)) * float(o.grad_scale);
    block.m[i] = float(o.beta1) * block.m[i] + float(1 - o.beta1) * g;
    block.v[i] = float(o.beta2) * block.v[i] + float(1 - o.beta2) * (g * g);
    const float root = std::sqrt(block.v[i] * per_correction2) + float(o.eps);
    const float update = block.m[i] * size / root - decay * block.weight[i];
    const Words words = random_words(o.seed, t, begin + i);
    const float weight = short_sum(block.weight[i], update, words.theta);
    const auto bits = std::bit_cast<std::uint32_t>(weight);
    const std::uint32_t high = (bits + 0x8000u) >> 16;
    const std::uint16_t theta = std::uint16_t(high);
    std::memcpy(p.theta.data() + 2 * (begin + i), &theta, 2);
    const auto rest = std::uint32_t(bits - (high << 16)) >> 9;
    p.low[begin + i] = std::uint8_t((rest & 0x7fu) << 1);
    u_m[i] = uniform(words.m);
    u_v[i] = uniform(words.v);
  }
  block.store(p.low.data() + begin, p.m.data() + begin, p.v.data() + begin, u_m, u_v, n);
}

/// Gradients of every size beside each other; zeros; some blocks without any.
void any_gradients(Parameters& p, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < p.count; ++i) {
    const double size = std::pow(10.0, double(random() % 9) - 6);
    p.set_grad(i, i / 16 % 5 == 3 || random() % 8 == 0 ? 0 : size * normal(random));
  }
}

TEST(Split8, IsTheModelBitForBit) {
  for (const double beta2 : {0.999, 0.95, 0.0, 0.999999}) {
    SCOPED_TRACE(beta2);
    std::mt19937_64 random(5);
    Parameters p(Strategy::split8, Format::bfloat16, 1000);
    p.randomize(random);
    Parameters model = p;
    AdamWOptions o;
    o.beta2 = beta2;
    o.seed = 0x123456789abcdefu;
    o.grad_scale = 0.5;
    for (int t = 1; t <= 60; ++t) {
      any_gradients(p, random);
      model.grad = p.grad;
      adamw_step(Strategy::split8, Format::bfloat16, p.all(), o, t);
      for (std::size_t begin = 0; begin < model.count; begin += 16) model_step(model, begin, o, t);
      ASSERT_EQ(p.theta, model.theta) << t;
      ASSERT_EQ(p.low, model.low) << t;
      ASSERT_EQ(p.m, model.m) << t;
      ASSERT_EQ(p.v, model.v) << t;
    }
  }
}

/// From 1e-38 to 1e37, where squares vanish and overflow.
TEST(Split8, IsTheModelAtTheEndsOfTheRange) {
  Parameters p(Strategy::split8, Format::bfloat16, 16 * 76);
  for (std::size_t i = 0; i < p.count; ++i) {
    p.set_theta(i, 1);
    const double size = std::pow(10.0, double(i / 16) - 38);
    p.set_grad(i, (i % 2 == 0 ? 1 : -1) * size * (1 + double(i % 16) / 4));
  }
  Parameters model = p;
  for (int t = 1; t <= 3; ++t) {
    adamw_step(Strategy::split8, Format::bfloat16, p.all(), {}, t);
    for (std::size_t begin = 0; begin < p.count; begin += 16) model_step(model, begin, {}, t);
    ASSERT_EQ(p.theta, model.theta) << t;
    ASSERT_EQ(p.low, model.low) << t;
    ASSERT_EQ(p.m, model.m) << t;
    ASSERT_EQ(p.v, model.v) << t;
  }
  for (std::size_t i = 0; i < p.count; ++i) ASSERT_TRUE(std::isfinite(p.value(i))) << i;
}

/// Arrays end anywhere in a block; after it nothing is written but bits of scales.
TEST(Split8, CountsNeedNotBeMultiplesOf16) {
  for (const std::size_t count : {1u, 15u, 16u, 17u, 127u, 129u})
    for (const double eps : {1e-8, 0.0}) {
      SCOPED_TRACE(count);
      std::mt19937_64 random(9);
      Parameters whole(Strategy::split8, Format::bfloat16, 256);
      whole.randomize(random);
      for (std::size_t i = 0; i < whole.count; ++i) {
        if (i >= count) whole.set_theta(i, 0);
        whole.set_grad(i, i < count ? 0.5 + double(i) : 0);
      }
      Parameters part(Strategy::split8, Format::bfloat16, count);
      EXPECT_EQ(part.low.size(), (count + 15) / 16 * 16);
      std::copy_n(whole.theta.begin(), part.theta.size(), part.theta.begin());
      std::copy_n(whole.grad.begin(), part.grad.size(), part.grad.begin());
      // what stands there is no weight
      for (std::size_t i = count; i < part.low.size(); ++i) part.low[i] = 0x80;
      AdamWOptions o;
      o.eps = eps;
      o.metrics = true;
      for (int t = 1; t <= 5; ++t) {
        if (eps > 0) adamw_step(Strategy::split8, Format::bfloat16, whole.all(), o, t);
        const auto report = adamw_step(Strategy::split8, Format::bfloat16, part.all(), o, t);
        EXPECT_EQ(report.nonfinite, 0);
        EXPECT_EQ(report.elements, std::int64_t(count));
        EXPECT_TRUE(std::isfinite(report.effective_squared));
      }
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_TRUE(std::isfinite(part.value(i)));
        if (eps > 0) {
          ASSERT_EQ(part.value(i), whole.value(i)) << i;
          ASSERT_EQ(part.v_at(i), whole.v_at(i)) << i;
        }
      }
      for (std::size_t i = count; i < part.low.size(); ++i) ASSERT_LE(part.low[i], 1) << i;
    }
}

TEST(Split8, BadGradientsLeaveTheirWeightsAlone) {
  std::mt19937_64 random(2);
  Parameters p(Strategy::split8, Format::bfloat16, 200);
  p.randomize(random, 1.0);
  adamw_step(Strategy::split8, Format::bfloat16, p.all(), {}, 1);
  const std::size_t bad[] = {3, 130, 199};
  p.set_grad(3, std::numeric_limits<double>::infinity());
  p.set_grad(130, std::numeric_limits<double>::quiet_NaN());
  p.set_grad(199, -std::numeric_limits<double>::infinity());
  const Parameters before = p;
  EXPECT_EQ(adamw_step(Strategy::split8, Format::bfloat16, p.all(), {}, 2).nonfinite, 3);
  for (const std::size_t i : bad) {
    EXPECT_EQ(p.value(i), before.value(i));
    // a new scale rounds v again, by a step of its root at most
    const auto root = [i](const Parameters& of) { return std::pow(double(of.v_at(i)), 0.25); };
    const double step = std::exp2((p.block_of(i).v_scale - Block::v_bias - 32) / 4.0);
    EXPECT_LT(std::fabs(root(p) - root(before)), step);
  }
  for (std::size_t i = 0; i < p.count; ++i) ASSERT_TRUE(std::isfinite(p.value(i))) << i;
  EXPECT_NE(p.value(4), before.value(4));
}

/// Without gradients and decay nothing moves, states of zeros stay zeros.
TEST(Split8, BlocksOfZerosStay) {
  Parameters p(Strategy::split8, Format::bfloat16, 320);
  for (std::size_t i = 0; i < p.count; ++i) p.set_theta(i, 0.1 * double(i) - 7);
  const Parameters before = p;
  AdamWOptions o;
  o.weight_decay = 0;
  for (int t = 1; t <= 20; ++t) adamw_step(Strategy::split8, Format::bfloat16, p.all(), o, t);
  EXPECT_TRUE(p == before);
}

/// How far weights are from those of float after steps of gradients that `of` gives.
template <class Gradient>
double distance_to_float(int steps, double lr, const Gradient& of) {
  Parameters p(Strategy::split8, Format::bfloat16, 1024);
  Parameters exact(Strategy::master, Format::bfloat16, 1024);
  for (std::size_t i = 0; i < p.count; ++i) {
    p.set_theta(i, 1);
    exact.set_theta(i, 1);
  }
  AdamWOptions o;
  o.lr = lr;
  o.weight_decay = 0;
  for (int t = 1; t <= steps; ++t) {
    for (std::size_t i = 0; i < p.count; ++i) p.set_grad(i, of(i, t));
    exact.grad = p.grad;
    adamw_step(Strategy::split8, Format::bfloat16, p.all(), o, t);
    adamw_step(Strategy::master, Format::bfloat16, exact.all(), o, t);
  }
  double sum = 0;
  double moved = 0;
  for (std::size_t i = 0; i < p.count; ++i)
    if (i % 16 != 0) {
      sum += p.value(i) - exact.value(i);
      moved += std::fabs(exact.value(i) - 1);
    }
  return std::fabs(sum) / moved;
}

TEST(Split8, FollowsFloatsInTheMean) {
  const auto noise = [](std::size_t i, int t) {
    const auto words = philox4x32({std::uint32_t(i), std::uint32_t(t), 0, 0}, {7, 7});
    double sum = -2;
    for (const std::uint32_t word : words) sum += std::ldexp(double(word), -32);
    return 0.3 + 1.7 * sum;
  };
  EXPECT_LT(distance_to_float(1000, 1e-4, noise), 2e-3);
  // an outlier in each block, 100 and 10^4 times as large as the others
  for (const double outlier : {100.0, 1e4}) {
    SCOPED_TRACE(outlier);
    const auto spiked = [&](std::size_t i, int) { return i % 16 == 0 ? outlier : 0.7; };
    EXPECT_LT(distance_to_float(100, 1e-3, spiked), outlier > 100 ? 0.05 : 0.02);
  }
  // gradients that begin when the bias correction is over, or become 1000 times smaller
  EXPECT_LT(distance_to_float(300, 1e-4, [](std::size_t, int t) { return t > 200 ? 0.7 : 0; }),
            0.01);
  EXPECT_LT(distance_to_float(2000, 1e-4, [](std::size_t, int t) { return t > 500 ? 7e-4 : 0.7; }),
            0.01);
}

/// A new weight keeps the scales of the states.
TEST(Split8, SettingWeightsKeepsTheStates) {
  std::mt19937_64 random(3);
  Parameters p(Strategy::split8, Format::bfloat16, 100);
  p.randomize(random);
  adamw_step(Strategy::split8, Format::bfloat16, p.all(), {}, 1);
  const Parameters before = p;
  std::vector<float> weights(p.count);
  for (std::size_t i = 0; i < p.count; ++i) weights[i] = std::ldexp(float(i) - 50, -5);
  set_weights(Strategy::split8, Format::bfloat16, weights.data(), p.all());
  for (std::size_t i = 0; i < p.count; ++i) {
    ASSERT_EQ(float(p.value(i)), weights[i]);
    ASSERT_EQ(p.v_at(i), before.v_at(i));
    ASSERT_EQ(p.block_of(i).m[i % 16], before.block_of(i).m[i % 16]);
  }
}

/// AMSGrad keeps the largest v, a float, before it is rounded.
TEST(Split8, HasAmsgrad) {
  Parameters p(Strategy::split8, Format::bfloat16, 16);
  std::vector<float> v_max(16);
  AdamWOptions o;
  o.beta2 = 0.5;
  auto memory = p.all();
  memory.v_max = v_max.data();
  p.set_grad(0, 4);
  adamw_step(Strategy::split8, Format::bfloat16, memory, o, 1);
  p.set_grad(0, 0.5);
  for (int t = 2; t < 10; ++t) adamw_step(Strategy::split8, Format::bfloat16, memory, o, t);
  EXPECT_EQ(v_max[0], 8);
  EXPECT_LT(p.v_at(0), 1);
}

}  // namespace
}  // namespace mct::test
