// The sharded optimizer: the bits of McAdamW with the sum of all gradients, on any number of ranks.
#include "mctensor/optim/sharded_adamw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/distributed/ranks_in_threads.hpp"
#include "tests/files.hpp"

namespace mct::optim {
namespace {

using distributed::ExactSums;
using testing::bytes_of;
using testing::message_of;
using testing::on_ranks;
using testing::TemporaryDirectory;
using Ranks = std::shared_ptr<distributed::Communicator>;

const std::vector<Shape> shapes = {{3000}, {50, 70}, {1}, {5111}, {300}};
constexpr int terms = 6;

template <class P>
Tensor<P> normal(const Shape& shape, double deviation, std::uint64_t seed) {
  const auto x = randn<P>(shape, seed);
  for (std::int64_t i = 0; i < x.numel(); ++i) x.data()[i] = P(deviation * double(x.data()[i]));
  return x;
}

template <class P>
std::vector<Variable<P>> make_variables() {
  static const auto values = [] {
    std::vector<Tensor<P>> tensors;
    for (std::size_t i = 0; i < shapes.size(); ++i)
      tensors.push_back(normal<P>(shapes[i], 0.1, 100 + i));
    return tensors;
  }();
  std::vector<Variable<P>> variables;
  for (const auto& value : values) variables.emplace_back(value.clone(), true);
  return variables;
}

/// Gradients of all steps, terms and parameters, made once.
template <class P>
const Tensor<P>& gradient(int step, int term, std::size_t i) {
  static const auto all = [] {
    std::vector<Tensor<P>> gradients;
    for (int s = 0; s < 5; ++s)
      for (int t = 0; t < terms; ++t)
        for (std::size_t k = 0; k < shapes.size(); ++k)
          gradients.push_back(normal<P>(shapes[k], 0.01, std::uint64_t(1000 * s + 10 * t) + k));
    return gradients;
  }();
  return all[std::size_t(step * terms + term) * shapes.size() + i];
}

/// Gradient number `term` of a step; the last parameter has one in every second step alone.
template <class P>
void set_gradients(const std::vector<Variable<P>>& variables, int step, int term) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (i + 1 == variables.size() && (step % 2 == 0 || term > 0)) continue;
    variables[i].set_grad(gradient<P>(step, term, i));
  }
}

AdamWOptions options_of(Strategy strategy) {
  AdamWOptions options;
  options.seed = 5;
  options.grad_scale = 1.0 / terms;
  options.metrics = strategy != Strategy::plain;
  return options;
}

/// The file of McAdamW after some steps with the sums of all gradients, rounded once.
template <class T, class P>
std::string unsharded(Strategy strategy, int steps, const TemporaryDirectory& directory) {
  const auto variables = make_variables<P>();
  McAdamW<T, P> optimizer(variables, strategy, options_of(strategy));
  for (int step = 1; step <= steps; ++step) {
    std::vector<ExactSums<P>> sums;
    std::vector<bool> has_gradient(variables.size(), false);
    for (const auto& variable : variables) sums.emplace_back(variable.numel());
    for (int term = 0; term < terms; ++term) {
      set_gradients(variables, step, term);
      for (std::size_t i = 0; i < variables.size(); ++i)
        if (variables[i].has_grad()) {
          sums[i].add(variables[i].grad());
          has_gradient[i] = true;
        }
      optimizer.zero_grad();
    }
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (!has_gradient[i]) continue;
      Tensor<P> sum(shapes[i]);
      sums[i].round_to(std::span<P>(sum.data(), std::size_t(sum.numel())));
      variables[i].set_grad(sum);
    }
    EXPECT_FALSE(optimizer.step().skipped);
    optimizer.zero_grad();
  }
  optimizer.save(directory / "unsharded");
  return bytes_of(directory / "unsharded");
}

template <class T, class P>
void steps_of_rank(ShardedMcAdamW<T, P>& optimizer, const std::vector<Variable<P>>& variables,
                   const Ranks& ranks, int from, int to) {
  const int rank = ranks ? ranks->rank() : 0;
  const int size = ranks ? ranks->size() : 1;
  for (int step = from; step <= to; ++step) {
    for (int term = terms - 1; term >= 0; --term) {
      if (term % size != rank) continue;
      set_gradients(variables, step, term);
      optimizer.accumulate();
    }
    optimizer.step();
  }
}

template <class T, class P>
void check(Strategy strategy) {
  SCOPED_TRACE(to_string(strategy));
  const TemporaryDirectory directory;
  const std::string expected = unsharded<T, P>(strategy, 4, directory);
  for (const int size : {1, 2, 3}) {
    const auto first = directory / ("first" + std::to_string(size));
    const auto second = directory / ("second" + std::to_string(size));
    on_ranks(size, [&](const Ranks& ranks) {
      const auto variables = make_variables<P>();
      ShardedMcAdamW<T, P> optimizer(variables, strategy, options_of(strategy), ranks);
      steps_of_rank(optimizer, variables, ranks, 1, 2);
      optimizer.save(first);
    });
    // goes on with another number of ranks
    on_ranks(4 - size, [&](const Ranks& ranks) {
      const auto variables = make_variables<P>();
      ShardedMcAdamW<T, P> optimizer(variables, strategy, options_of(strategy), ranks);
      optimizer.load(first);
      EXPECT_EQ(optimizer.steps(), 2);
      steps_of_rank(optimizer, variables, ranks, 3, 4);
      optimizer.save(second);
    });
    EXPECT_TRUE(bytes_of(second) == expected) << size << " ranks";
  }
}

TEST(ShardedMcAdamW, IsMcAdamWForEveryStrategy) {
  for (const Strategy strategy : all_strategies()) check<bfloat16, float>(strategy);
}

TEST(ShardedMcAdamW, IsMcAdamWWithShortVariables) {
  check<bfloat16, bfloat16>(Strategy::plus);
  check<bfloat16, bfloat16>(Strategy::split8);
  check<half, half>(Strategy::residual_states);
  check<half, float>(Strategy::plus);
}

/// What all ranks say of clipped steps, and the variables then.
struct Outcome {
  StepReport report;
  std::vector<float> values;
};

Outcome clipped_steps(int size, GradientExchange exchange, float spoiled = 0) {
  Outcome outcome;
  on_ranks(size, [&](const Ranks& ranks) {
    const auto variables = make_variables<float>();
    ShardedMcAdamW<> optimizer(variables, Strategy::plus, options_of(Strategy::plus),
                               size > 1 ? ranks : nullptr, exchange);
    StepReport report;
    for (int step = 1; step <= 3; ++step) {
      for (int term = 0; term < terms; ++term) {
        if (term % size != ranks->rank()) continue;
        set_gradients(variables, step, term);
        if (term == 1 && step == 3 && spoiled != 0) variables[3].grad().data()[5000] = spoiled;
        optimizer.accumulate();
      }
      report = optimizer.step(0.05);
    }
    if (ranks->rank() + 1 == size) {
      outcome.report = report;
      for (const auto& variable : variables)
        for (const float x : variable.value().values()) outcome.values.push_back(x);
    }
  });
  return outcome;
}

TEST(ShardedMcAdamW, NormAndMetricsDoNotDependOnRanks) {
  const Outcome alone = clipped_steps(1, GradientExchange::exact);
  EXPECT_GT(alone.report.grad_norm, 0.05);
  EXPECT_EQ(alone.report.measured, 3000 + 3500 + 1 + 5111 + 300);
  for (const int size : {2, 4}) {
    const Outcome outcome = clipped_steps(size, GradientExchange::exact);
    EXPECT_EQ(outcome.values, alone.values);
    EXPECT_EQ(outcome.report.grad_norm, alone.report.grad_norm);
    EXPECT_EQ(outcome.report.elements, alone.report.elements);
    EXPECT_EQ(outcome.report.lost_updates, alone.report.lost_updates);
    EXPECT_EQ(outcome.report.update_squared, alone.report.update_squared);
    EXPECT_EQ(outcome.report.update_times_effective, alone.report.update_times_effective);
  }
}

TEST(ShardedMcAdamW, OneGradientThatIsNoNumberSkipsTheStepOfAll) {
  const Outcome spoiled =
      clipped_steps(3, GradientExchange::exact, std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(spoiled.report.skipped);
  EXPECT_EQ(spoiled.report.nonfinite, 1);
  const Outcome fine = clipped_steps(3, GradientExchange::exact);
  EXPECT_NE(spoiled.values, fine.values);
}

/// Close to the exact exchange, not the same; what is left to the next step makes the mean right.
TEST(ShardedMcAdamW, CompressedGradientsAreNearlyThose) {
  const Outcome exact = clipped_steps(2, GradientExchange::exact);
  const Outcome compressed = clipped_steps(2, GradientExchange::bf16x2);
  ASSERT_EQ(exact.values.size(), compressed.values.size());
  EXPECT_NEAR(exact.report.grad_norm, compressed.report.grad_norm, 1e-4 * exact.report.grad_norm);
  for (std::size_t i = 0; i < exact.values.size(); ++i)
    EXPECT_NEAR(exact.values[i], compressed.values[i], 1e-3);
}

/// What is written to variables between steps, on all ranks, stays what was written.
template <class P>
void check_edits(Strategy strategy) {
  SCOPED_TRACE(to_string(strategy));
  on_ranks(2, [&](const Ranks& ranks) {
    const auto variables = make_variables<P>();
    ShardedMcAdamW<bfloat16, P> optimizer(variables, strategy, options_of(strategy), ranks);
    steps_of_rank(optimizer, variables, ranks, 1, 2);
    const auto before = variables[0].value().clone();
    for (std::int64_t i = 0; i < variables[1].numel(); ++i)
      variables[1].value().data()[i] = P(0.001F);
    optimizer.options().lr = 0;
    optimizer.options().weight_decay = 0;
    steps_of_rank(optimizer, variables, ranks, 3, 3);
    for (std::int64_t i = 0; i < variables[1].numel(); ++i)
      ASSERT_EQ(float(variables[1].value().data()[i]), float(bfloat16(0.001F))) << i;
    for (std::int64_t i = 0; i < before.numel(); ++i)
      // theta + low may lie between two numbers
      ASSERT_NEAR(float(variables[0].value().data()[i]), float(before.data()[i]),
                  0x1p-7F * std::abs(float(before.data()[i])))
          << i;
  });
}

TEST(ShardedMcAdamW, TakesWhatWasWrittenToVariables) {
  for (const Strategy strategy : {Strategy::light, Strategy::split8, Strategy::master}) {
    check_edits<float>(strategy);
    check_edits<bfloat16>(strategy);
  }
}

TEST(ShardedMcAdamW, RefusesWhatDiffersBetweenRanks) {
  on_ranks(3, [](const Ranks& ranks) {
    auto options = options_of(Strategy::plus);
    if (ranks->rank() == 1) options.lr = 0.5;
    EXPECT_EQ(message_of<DomainError>([&] {
                ShardedMcAdamW<>(make_variables<float>(), Strategy::plus, options, ranks);
              }),
              "the processes differ: lr is 0.5 on rank 1 and 0.001 on rank 0");
    auto variables = make_variables<float>();
    if (ranks->rank() == 2) variables[1].value().data()[7] += 1;
    EXPECT_NE(message_of<DomainError>([&] {
                ShardedMcAdamW<>(variables, Strategy::plus, options_of(Strategy::plus), ranks);
              }).find("hash of the parameters' values"),
              std::string::npos);
  });
  using Short = ShardedMcAdamW<bfloat16, bfloat16>;
  EXPECT_THROW(Short(make_variables<bfloat16>(), Strategy::full), DomainError);
  EXPECT_THROW(
      Short(make_variables<bfloat16>(), Strategy::plus, {}, nullptr, GradientExchange::bf16x2),
      DomainError);
}

}  // namespace
}  // namespace mct::optim
