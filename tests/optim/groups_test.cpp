// One step of several groups beside a call for each.
#include "mctensor/error.hpp"
#include "mctensor/optim/adamw_groups.hpp"
#include "mctensor/optim/weights.hpp"
#include "tests/message_of.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using namespace optim;

AdamWGroup group_of(Strategy strategy, Format format, const AdamWMemory& memory,
                    std::int64_t step) {
  AdamWGroup group;
  group.strategy = strategy;
  group.format = format;
  group.memory = {&memory, 1};
  group.options.lr = 1e-2 / double(step);
  group.step = step;
  return group;
}

/// Two groups of different strategies, formats and numbers of steps.
struct Two {
  Parameters first{Strategy::plus, Format::bfloat16, 300};
  Parameters second{Strategy::light, Format::float16, 1000};
  AdamWMemory memory[2];

  Two() {
    std::mt19937_64 random(8);
    first.randomize(random);
    second.randomize(random);
    memory[0] = first.all();
    memory[1] = second.all();
  }
  std::array<AdamWGroup, 2> groups() const {
    return {group_of(Strategy::plus, Format::bfloat16, memory[0], 3),
            group_of(Strategy::light, Format::float16, memory[1], 5)};
  }
};

TEST(AdamWGroups, StepAsACallForEach) {
  const Two together;
  const Two apart;
  const auto report = adamw_step(together.groups());
  for (const AdamWGroup& group : apart.groups())
    adamw_step(group.strategy, group.format, group.memory, group.options, group.step);
  EXPECT_EQ(report.elements, 1300);
  EXPECT_FALSE(report.skipped);
  EXPECT_TRUE(together.first == apart.first);
  EXPECT_TRUE(together.second == apart.second);
  EXPECT_EQ(adamw_step(std::span<const AdamWGroup>()).elements, 0);
}

TEST(AdamWGroups, StayAllWhereOneGradientIsNotFinite) {
  const Two two;
  const Two before;
  const std::uint16_t infinity = 0x7c00;
  std::memcpy(const_cast<void*>(two.memory[1].grad), &infinity, sizeof infinity);
  std::memcpy(const_cast<void*>(before.memory[1].grad), &infinity, sizeof infinity);
  const auto report = adamw_step(two.groups());
  EXPECT_TRUE(report.skipped);
  EXPECT_EQ(report.nonfinite, 1);
  EXPECT_EQ(report.elements, 1300);
  EXPECT_TRUE(two.first == before.first);
  EXPECT_TRUE(two.second == before.second);
}

/// Others may leave the step out, and are told of gradients here, once, whatever happens.
TEST(AdamWGroups, AskAVote) {
  const Two two;
  const Two before;
  std::vector<std::int64_t> told;
  bool answer = true;
  const SkipVote vote = [&](std::int64_t nonfinite) {
    told.push_back(nonfinite);
    return answer;
  };
  const auto report = adamw_step(two.groups(), vote);
  EXPECT_TRUE(report.skipped);
  EXPECT_EQ(report.elements, 1300);
  EXPECT_TRUE(two.first == before.first);
  answer = false;
  EXPECT_FALSE(adamw_step(two.groups(), vote).skipped);
  EXPECT_FALSE(two.first == before.first);
  auto refused = two.groups();
  refused[1].step = 0;
  EXPECT_THROW(adamw_step(refused, vote), DomainError);
  const std::uint16_t infinity = 0x7c00;
  std::memcpy(const_cast<void*>(two.memory[1].grad), &infinity, sizeof infinity);
  EXPECT_TRUE(adamw_step(two.groups(), vote).skipped);
  EXPECT_EQ(told, (std::vector<std::int64_t>{0, 0, 1, 1}));
}

TEST(AdamWGroups, RefuseWhatOneOfThemRefuses) {
  const Two two;
  const Two before;
  const std::vector<FloatSide> floats(2);
  auto groups = two.groups();
  groups[1].step = 0;
  EXPECT_NE(testing::message_of<DomainError>([&] { adamw_step(groups); }).find("step 0"),
            std::string::npos);
  groups = two.groups();
  groups[1].options.lr = -1;
  EXPECT_THROW(adamw_step(groups), DomainError);
  groups = two.groups();
  groups[1].floats = floats;
  EXPECT_NE(testing::message_of<DomainError>([&] {
              adamw_step(groups);
            }).find("floats are given for 2 of 1 tensors"),
            std::string::npos);
  groups = two.groups();
  groups[1].strategy = Strategy::full;
  groups[1].floats = std::span(floats).first(1);
  EXPECT_THROW(adamw_step(groups), DomainError);
  EXPECT_TRUE(two.first == before.first);
}

/// Gradients come and weights go as floats, as if they were narrowed and widened around the call.
TEST(AdamWGroups, TakeFloatsBesideTheArrays) {
  Two two;
  Two plain;
  std::vector<float> grad(300), theta(300), widened(300);
  for (std::size_t i = 0; i < grad.size(); ++i) grad[i] = 0.01F * float(i) - 1.5F;
  narrow_floats(Format::bfloat16, grad.data(), const_cast<void*>(plain.memory[0].grad), 300);
  const FloatSide floats{grad.data(), theta.data()};
  widen_to_floats(Format::bfloat16, two.memory[0].theta, theta.data(), 300);
  auto groups = two.groups();
  groups[0].floats = {&floats, 1};
  two.memory[0].grad = grad.data();
  widen_to_floats(Format::bfloat16, two.memory[0].theta, theta.data(), 300);
  adamw_step(groups);
  adamw_step(plain.groups());
  widen_to_floats(Format::bfloat16, plain.memory[0].theta, widened.data(), 300);
  EXPECT_EQ(theta, widened);
  EXPECT_EQ(std::memcmp(two.memory[0].low, plain.memory[0].low, 600), 0);
  EXPECT_EQ(std::memcmp(two.memory[0].v, plain.memory[0].v, 600), 0);
}

/// Float gradients that are numbers of T step as those do, whatever the strategy and the number of
/// elements.
TEST(AdamWGroups, TakeFloatGradientsAsTheyAre) {
  std::mt19937_64 random(9);
  for (const Strategy strategy : all_strategies()) {
    if (composition_of(strategy).theta == Number::float32) continue;
    for (const std::size_t count : {1, 300, 4480}) {
      Parameters wide(strategy, Format::bfloat16, count);
      wide.randomize(random);
      Parameters plain = wide;
      const AdamWMemory memory[2] = {wide.all(), plain.all()};
      std::vector<float> grad(count);
      widen_to_floats(Format::bfloat16, memory[1].grad, grad.data(), std::int64_t(count));
      const FloatSide floats{grad.data(), nullptr, false};
      AdamWGroup group = group_of(strategy, Format::bfloat16, memory[0], 3);
      group.floats = {&floats, 1};
      adamw_step(std::span(&group, 1));
      group = group_of(strategy, Format::bfloat16, memory[1], 3);
      adamw_step(std::span(&group, 1));
      EXPECT_TRUE(wide == plain) << to_string(strategy) << " of " << count;
    }
  }
}

/// What T would round, or make infinite, counts as it is.
TEST(AdamWGroups, DoNotRoundFloatGradients) {
  for (const Format format : {Format::bfloat16, Format::float16}) {
    Parameters parameters(Strategy::float_states, format, 300);
    const AdamWMemory memory = parameters.all();
    std::vector<float> grad(300);
    for (std::size_t i = 0; i < grad.size(); ++i) grad[i] = 1.0F + 0x1p-20F * float(i);
    grad[7] = 1e6F;
    FloatSide floats{grad.data(), nullptr, false};
    AdamWGroup group = group_of(Strategy::float_states, format, memory, 1);
    group.options.beta1 = 0.5;
    group.floats = {&floats, 1};
    EXPECT_FALSE(adamw_step(std::span(&group, 1)).skipped);
    for (std::size_t i = 0; i < grad.size(); ++i)
      EXPECT_EQ(static_cast<const float*>(memory.m)[i], 0.5F * grad[i]);
    grad[7] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(adamw_step(std::span(&group, 1)).nonfinite, 1);
    EXPECT_EQ(adamw_step(std::span(&group, 1)).elements, 300);
    EXPECT_TRUE(adamw_step(std::span(&group, 1)).skipped);
    grad[7] = 1e6F;
    floats.rounds_grad = true;
    EXPECT_EQ(adamw_step(std::span(&group, 1)).skipped, format == Format::float16);
  }
}

}  // namespace
}  // namespace mct::test
