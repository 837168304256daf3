// AdamW steps in memory: against scalar references, cut into shards, with bad gradients.
#include <limits>

#include "mctensor/error.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/files.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using optim::AdamWOptions;
using optim::Arithmetic;
using optim::Format;
using optim::Strategy;

constexpr std::array<Strategy, 3> strict_strategies = {Strategy::plain, Strategy::light,
                                                       Strategy::plus};

/// Yu 2024, Alg. 8, 9 and 23, one parameter at a time in the arithmetic of T.
template <class T>
struct StrictReference {
  T theta{}, low{}, m{}, v{}, v_low{};

  static std::pair<T, T> two_sum(T a, T b) {
    const T x = a + b;
    const T b_virtual = x - a;
    const T a_virtual = x - b_virtual;
    return {x, (a - a_virtual) + (b - b_virtual)};
  }
  static std::pair<T, T> fast_two_sum(T a, T b) {
    const T x = a + b;
    return {x, b - (x - a)};
  }
  static std::pair<T, T> grow(T x, T y, T a) {
    const auto [u, w] = two_sum(x, a);
    return fast_two_sum(u, y + w);
  }
  static std::pair<T, T> mul(T a1, T a2, T b1, T b2) {
    const T x = a1 * b1;
    T e = T(double(a1) * double(b1) - double(x));
    e = e + (a1 * b2 + a2 * b1);
    return fast_two_sum(x, e);
  }

  void step(Strategy strategy, const AdamWOptions& o, T g, int t) {
    const T beta1(o.beta1);
    const T beta2(o.beta2);
    const T beta2_low(o.beta2 - double(beta2));
    m = beta1 * m + T(1 - o.beta1) * g;
    const T square = T(1 - o.beta2) * (g * g);
    if (strategy == Strategy::plus) {
      const auto [x, e] = mul(beta2, beta2_low, v, v_low);
      std::tie(v, v_low) = grow(x, e, square);
    } else {
      v = beta2 * v + square;
    }
    const T m_hat = m / T(1 - std::pow(o.beta1, t));
    const T v_hat = v / T(1 - std::pow(o.beta2, t));
    const T update = T(-o.lr) * (m_hat / (sqrt(v_hat) + T(o.eps)) + T(o.weight_decay) * theta);
    if (strategy == Strategy::plain) theta = theta + update;
    if (strategy == Strategy::light || strategy == Strategy::plus)
      std::tie(theta, low) = grow(theta, low, update);
  }
};

template <class T>
void check_strict(Strategy strategy, Format format) {
  SCOPED_TRACE(to_string(strategy) + (format == Format::float16 ? " float16" : " bfloat16"));
  std::mt19937_64 random(7);
  Parameters p(strategy, format, 300);
  p.randomize(random);
  // zeros beside large gradients, tiny and subnormal values
  p.set_theta(0, 0);
  p.set_theta(1, 1e-6);
  p.set_theta(2, 3e-8);
  std::vector<StrictReference<T>> reference(p.count);
  for (std::size_t i = 0; i < p.count; ++i) reference[i].theta = T(p.theta_at(i));
  AdamWOptions options;
  options.arithmetic = Arithmetic::strict;
  options.eps = format == Format::float16 ? 1e-6 : 1e-8;
  options.lr = 1e-2;
  for (int t = 1; t <= 40; ++t) {
    p.new_gradients(random, t == 20 ? 10.0 : 0.1);
    for (std::size_t i = 0; i < p.count; ++i)
      reference[i].step(strategy, options, T(p.get(p.grad, 2, i)), t);
    adamw_step(strategy, format, p.all(), options, t);
  }
  for (std::size_t i = 0; i < p.count; ++i) {
    const auto& r = reference[i];
    const auto same = [&](double a, T b) { return a == double(b) || (a != a && b != b); };
    ASSERT_TRUE(same(p.theta_at(i), r.theta))
        << i << ": " << p.theta_at(i) << ' ' << double(r.theta);
    ASSERT_TRUE(same(p.get(p.m, 2, i), r.m)) << i;
    ASSERT_TRUE(same(p.v_at(i), r.v)) << i << ": " << p.v_at(i) << ' ' << double(r.v);
    ASSERT_TRUE(p.layout.low == 0 || same(p.get(p.low, 2, i), r.low)) << i;
    ASSERT_TRUE(p.layout.v_low == 0 || same(p.get(p.v_low, 2, i), r.v_low)) << i;
  }
}

TEST(AdamWStep, StrictIsThePaperBitForBit) {
  for (const Strategy strategy : strict_strategies) {
    check_strict<bfloat16>(strategy, Format::bfloat16);
    check_strict<half>(strategy, Format::float16);
  }
}

/// Every strategy follows a computation in double as closely as its formats allow.
TEST(AdamWStep, FollowsDouble) {
  std::mt19937_64 random(3);
  for (const Strategy strategy : optim::all_strategies()) {
    for (const Format format : formats_of(strategy)) {
      SCOPED_TRACE(to_string(strategy));
      Parameters p(strategy, format, 500);
      p.randomize(random);
      std::vector<double> theta(p.count);
      std::vector<double> m(p.count);
      std::vector<double> v(p.count);
      for (std::size_t i = 0; i < p.count; ++i) theta[i] = p.value(i);
      AdamWOptions o;
      o.eps = 1e-6;
      o.beta2 = 0.95;
      o.weight_decay = 0.1;
      double moved = 0;
      double difference = 0;
      for (int t = 1; t <= 50; ++t) {
        p.new_gradients(random, 0.5);
        for (std::size_t i = 0; i < p.count; ++i) {
          const double g = p.get(p.grad, p.layout.grad, i);
          m[i] = o.beta1 * m[i] + (1 - o.beta1) * g;
          v[i] = o.beta2 * v[i] + (1 - o.beta2) * g * g;
          const double m_hat = m[i] / (1 - std::pow(o.beta1, t));
          const double v_hat = v[i] / (1 - std::pow(o.beta2, t));
          const double update =
              -o.lr * (m_hat / (std::sqrt(v_hat) + o.eps) + o.weight_decay * theta[i]);
          theta[i] += update;
          moved += std::fabs(update);
        }
        adamw_step(strategy, format, p.all(), o, t);
      }
      for (std::size_t i = 0; i < p.count; ++i) difference += std::fabs(p.value(i) - theta[i]);
      const optim::Composition parts = optim::composition_of(strategy);
      const bool exact_weights = parts.has_float_weight() && parts.states == optim::Number::float32;
      // relative to the distance travelled; 16-bit weights alone lose updates of 1e-3 of a weight,
      // floats 2^-25 of a weight in each step
      const bool single = p.layout.low == 0 && !exact_weights;
      const double bound = exact_weights ? 3e-5 : single ? 0.5 : 0.02;
      EXPECT_LT(difference, bound * moved);
      EXPECT_GT(moved, 0);
    }
  }
}

TEST(AdamWStep, ShardsAndThreadsGiveTheSameBits) {
  std::mt19937_64 random(11);
  const int threads = num_threads();
  for (const Strategy strategy : optim::all_strategies()) {
    for (const Format format : formats_of(strategy)) {
      SCOPED_TRACE(to_string(strategy));
      Parameters whole(strategy, format, 5000);
      whole.randomize(random);
      Parameters cut = whole;
      const auto unit = std::size_t(whole.layout.unit());
      AdamWOptions options;
      options.seed = 5;
      options.metrics = true;
      for (int t = 1; t <= 5; ++t) {
        set_num_threads(1 + t % 3);
        const auto report = adamw_step(strategy, format, whole.all(), options, t);
        optim::StepReport sum;
        for (std::size_t begin = 0; begin < cut.count;) {
          std::size_t n = (1 + random() % 700) * unit;
          n = std::min(n, cut.count - begin);
          sum += adamw_step(strategy, format, cut.part(begin, n), options, t);
          begin += n;
        }
        ASSERT_TRUE(whole == cut) << t;
        EXPECT_EQ(report.updates, sum.updates);
        EXPECT_EQ(report.lost_updates, sum.lost_updates);
        EXPECT_EQ(report.elements, sum.elements);
        EXPECT_EQ(report.nonfinite, 0);
        EXPECT_NEAR(report.update_squared, sum.update_squared, 1e-6 * sum.update_squared);
        whole.new_gradients(random);
        cut.grad = whole.grad;
      }
    }
  }
  set_num_threads(threads);
}

TEST(AdamWStep, BadGradientsLeaveTheirElementsAlone) {
  std::mt19937_64 random(2);
  for (const Strategy strategy : optim::all_strategies()) {
    // a new scale moves its neighbours' states
    if (strategy == Strategy::split8) continue;
    for (const Format format : formats_of(strategy)) {
      Parameters p(strategy, format, 200);
      p.randomize(random);
      p.set_grad(4, 1);
      AdamWOptions options;
      options.beta2 = 0.5;
      adamw_step(strategy, format, p.all(), options, 1);
      p.set_grad(3, std::numeric_limits<double>::infinity());
      p.set_grad(130, std::numeric_limits<double>::quiet_NaN());
      p.set_grad(199, -std::numeric_limits<double>::infinity());
      const Parameters before = p;
      const auto report = adamw_step(strategy, format, p.all(), options, 2);
      EXPECT_EQ(report.nonfinite, 3);
      for (const std::size_t i : {3u, 130u, 199u}) {
        EXPECT_EQ(p.value(i), before.value(i));
        EXPECT_EQ(p.v_at(i), before.v_at(i));
      }
      EXPECT_NE(p.v_at(4), before.v_at(4)) << to_string(strategy);
    }
  }
}

TEST(AdamWStep, GradScaleDecayModesAndAmsgrad) {
  std::mt19937_64 random(4);
  Parameters a(Strategy::full, Format::bfloat16, 100);
  a.randomize(random, 1.0);
  Parameters b = a;
  for (std::size_t i = 0; i < b.count; ++i) b.set_grad(i, 1024 * a.get(a.grad, 4, i));
  AdamWOptions scaled;
  scaled.grad_scale = 1.0 / 1024;
  adamw_step(Strategy::full, Format::bfloat16, a.all(), {}, 1);
  adamw_step(Strategy::full, Format::bfloat16, b.all(), scaled, 1);
  EXPECT_EQ(a.theta, b.theta);

  // without a gradient only decay moves the weights
  const auto decayed = [&](optim::WeightDecay mode) {
    Parameters p(Strategy::full, Format::bfloat16, 1);
    p.set_theta(0, 1);
    AdamWOptions o;
    o.lr = 0.1;
    o.weight_decay = 0.5;
    o.schedule = 0.25;
    o.decay_mode = mode;
    adamw_step(Strategy::full, Format::bfloat16, p.all(), o, 1);
    return p.value(0);
  };
  EXPECT_FLOAT_EQ(float(decayed(optim::WeightDecay::inside)), 0.95F);
  EXPECT_FLOAT_EQ(float(decayed(optim::WeightDecay::decoupled)), 0.875F);
  EXPECT_NEAR(decayed(optim::WeightDecay::l2), 0.9, 1e-6);  // a step of lr, as for any gradient

  // AMSGrad: v_max keeps the largest v, so later steps are smaller
  Parameters p(Strategy::light, Format::bfloat16, 1);
  std::vector<bfloat16> v_max(1);
  AdamWOptions o;
  o.beta1 = 0;
  o.beta2 = 0.5;
  o.weight_decay = 0;
  auto memory = p.all();
  memory.v_max = v_max.data();
  p.set_grad(0, 4);
  adamw_step(Strategy::light, Format::bfloat16, memory, o, 1);
  const double largest = double(v_max[0]);
  EXPECT_EQ(largest, 8);
  p.set_grad(0, 0.5);
  for (int t = 2; t < 10; ++t) adamw_step(Strategy::light, Format::bfloat16, memory, o, t);
  EXPECT_EQ(double(v_max[0]), largest);
  EXPECT_LT(p.v_at(0), 1);
}

/// What a step says that it did is what it did to memory.
void check_metrics(Strategy strategy, Format format, Arithmetic arithmetic) {
  SCOPED_TRACE(to_string(strategy) + (arithmetic == Arithmetic::strict ? " strict" : ""));
  std::mt19937_64 random(8);
  Parameters p(strategy, format, 1000);
  p.randomize(random);
  AdamWOptions o;
  o.arithmetic = arithmetic;
  o.metrics = true;
  o.eps = 1e-6;
  o.lr = 2e-3;
  o.weight_decay = 0;
  for (int t = 1; t <= 3; ++t) {
    p.new_gradients(random, 0.5);
    for (std::size_t i = 0; i < p.count; ++i)
      if (p.get(p.grad, p.layout.grad, i) == 0) p.set_grad(i, 0.25);  // every parameter is to move
    const Parameters before = p;
    const auto report = adamw_step(strategy, format, p.all(), o, t);
    double moved = 0;
    std::int64_t stayed = 0;
    for (std::size_t i = 0; i < p.count; ++i) {
      const double step = p.value(i) - before.value(i);
      moved += step * step;
      stayed += step == 0 ? 1 : 0;
    }
    // in a short format m may cancel to 0: no update, which then is not lost
    const std::int64_t unmoved = std::int64_t(p.count) - report.updates;
    EXPECT_LT(unmoved, 10);
    EXPECT_EQ(report.lost_updates, stayed - unmoved) << t;
    EXPECT_NEAR(report.effective_squared, moved, 1e-5 * moved) << t;
    if (p.layout.low == 0 && p.layout.theta == 2 && format == Format::bfloat16) {
      EXPECT_GT(stayed, 0);
    }
  }
}

TEST(AdamWStep, MetricsAreWhatMemoryShows) {
  for (const Strategy strategy : optim::all_strategies())
    for (const Format format : formats_of(strategy))
      check_metrics(strategy, format, Arithmetic::registers);
  for (const Strategy strategy : strict_strategies)
    check_metrics(strategy, Format::bfloat16, Arithmetic::strict);
}

// a sample is what its blocks say when they are measured one by one, and steps in a row see all
TEST(AdamWStep, SampledMetricsAreThoseOfTheirBlocks) {
  constexpr std::int64_t block = 2048;
  constexpr std::int64_t first = 300;
  constexpr int sample = 3;
  std::mt19937_64 random(9);
  Parameters p(Strategy::light, Format::bfloat16, 5 * block + 77);
  const auto count = std::int64_t(p.count);
  p.randomize(random);
  AdamWOptions o;
  o.metrics = true;
  std::int64_t seen = 0;
  for (int t = 1; t <= sample; ++t) {
    p.new_gradients(random, 0.5);
    Parameters whole = p;
    Parameters parts = p;
    o.metric_sample = sample;
    auto memory = whole.all();
    memory.first = first;
    const auto report = adamw_step(Strategy::light, Format::bfloat16, memory, o, t);
    o.metric_sample = 1;
    optim::StepReport expected;
    for (std::int64_t begin = 0; begin < count;) {
      const std::int64_t number = (first + begin) / block;
      const std::int64_t end = std::min((number + 1) * block - first, count);
      auto part = parts.part(std::size_t(begin), std::size_t(end - begin));
      part.first = first + begin;
      const auto of_part = adamw_step(Strategy::light, Format::bfloat16, part, o, t);
      if ((number + t) % sample == 0) expected += of_part;
      begin = end;
    }
    seen += report.measured;
    EXPECT_EQ(report.elements, count);
    EXPECT_EQ(report.measured, expected.measured);
    EXPECT_EQ(report.updates, expected.updates);
    EXPECT_EQ(report.lost_updates, expected.lost_updates);
    EXPECT_EQ(report.v_updates, expected.v_updates);
    EXPECT_EQ(report.lost_v_updates, expected.lost_v_updates);
    EXPECT_GT(report.updates, 0);
    EXPECT_NEAR(report.update_squared, expected.update_squared, 1e-5 * expected.update_squared);
    EXPECT_NEAR(report.descent_quality(),
                expected.descent_quality() * std::sqrt(double(count) / double(report.measured)),
                1e-4 * report.descent_quality());
    for (std::size_t i = 0; i < p.count; ++i) ASSERT_EQ(whole.value(i), parts.value(i)) << i;
    p = whole;
  }
  EXPECT_EQ(seen, count);
  o.metric_sample = 0;
  EXPECT_THROW(adamw_step(Strategy::light, Format::bfloat16, p.all(), o, 1), DomainError);
}

TEST(AdamWStep, ErrorsNameTheArgument) {
  Parameters p(Strategy::light, Format::bfloat16, 10);
  const auto message = [&](const AdamWOptions& o, std::int64_t step, auto change) {
    auto memory = p.all();
    change(memory);
    try {
      adamw_step(Strategy::light, Format::bfloat16, memory, o, step);
    } catch (const DomainError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto nothing = [](auto&) {};
  EXPECT_NE(message({}, 0, nothing).find("step 0"), std::string::npos);
  AdamWOptions o;
  o.beta2 = 1;
  EXPECT_NE(message(o, 1, nothing).find("beta2 1"), std::string::npos);
  o = {};
  o.lr = -1;
  EXPECT_NE(message(o, 1, nothing).find("lr -1"), std::string::npos);
  EXPECT_NE(message({}, 1, [](auto& memory) { memory.low = nullptr; }).find("low"),
            std::string::npos);
  const auto fails = [&](Strategy strategy, Format format, const AdamWOptions& options,
                         std::int64_t first = 0) {
    Parameters q(strategy, format, 10);
    auto memory = q.all();
    memory.first = first;
    EXPECT_THROW(adamw_step(strategy, format, memory, options, 1), DomainError);
  };
  AdamWOptions strict;
  strict.arithmetic = Arithmetic::strict;
  fails(Strategy::residual, Format::bfloat16, strict);
  fails(Strategy::plain, Format::float16, strict);  // eps 1e-8 is 0 there
  fails(Strategy::split16, Format::float16, {});
  fails(Strategy::split8, Format::bfloat16, {}, 8);
  fails(Strategy::split8, Format::float16, {});
  EXPECT_THROW(optim::strategy_from_name("nonsense"), DomainError);
  for (const auto& gone : {std::pair("fp8-states", "split8"), {"kahan", "light"}}) {
    const auto text =
        testing::message_of<DomainError>([&] { optim::strategy_from_name(gone.first); });
    EXPECT_TRUE(testing::contains(text, std::string("any more; ") + gone.second)) << text;
  }
  for (const Strategy strategy : optim::all_strategies())
    EXPECT_EQ(optim::strategy_from_name(to_string(strategy)), strategy);
}

}  // namespace
}  // namespace mct::test
