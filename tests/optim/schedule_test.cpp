// Factors of the learning rate over the steps.
#include "mctensor/optim/schedule.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "mctensor/error.hpp"
#include "tests/message_of.hpp"

namespace mct::test {
namespace {

using namespace optim;

TEST(Schedule, WarmsUpAndFalls) {
  EXPECT_EQ(Schedule{}.factor(7), 1);
  const Schedule cosine{Decay::cosine, 10, 110, 0.1};
  EXPECT_DOUBLE_EQ(cosine.factor(5), 0.5);
  EXPECT_DOUBLE_EQ(cosine.factor(60), 0.55);
  EXPECT_DOUBLE_EQ(cosine.factor(110), 0.1);
  EXPECT_DOUBLE_EQ(cosine.factor(500), 0.1);
  const Schedule linear{Decay::linear, 0, 100, 0};
  EXPECT_DOUBLE_EQ(linear.factor(25), 0.75);
  EXPECT_THROW((Schedule{Decay::linear, 10, 10, 0}.factor(11)), DomainError);
  EXPECT_THROW(Schedule{}.factor(0), DomainError);
}

TEST(Schedule, HoldsStepsAndInverseRoots) {
  const Schedule warm{.warmup = 4};
  EXPECT_DOUBLE_EQ(warm.factor(1), 0.25);
  EXPECT_EQ(warm.factor(4), 1);
  EXPECT_EQ(warm.factor(1000), 1);
  // warm-up, stable, decay
  const Schedule wsd{.decay = Decay::linear, .warmup = 10, .total = 100, .floor = 0.2, .hold = 70};
  EXPECT_DOUBLE_EQ(wsd.factor(5), 0.5);
  EXPECT_EQ(wsd.factor(11), 1);
  EXPECT_EQ(wsd.factor(80), 1);
  EXPECT_DOUBLE_EQ(wsd.factor(90), 0.6);
  EXPECT_DOUBLE_EQ(wsd.factor(100), 0.2);
  EXPECT_DOUBLE_EQ(wsd.factor(1000), 0.2);
  // StepLR: epochs 0 ... 29 at 1, 30 ... 59 at 0.1
  const Schedule steps{.decay = Decay::step, .floor = 1e-3, .period = 30};
  EXPECT_EQ(steps.factor(30), 1);
  EXPECT_DOUBLE_EQ(steps.factor(31), 0.1);
  EXPECT_DOUBLE_EQ(steps.factor(60), 0.1);
  EXPECT_DOUBLE_EQ(steps.factor(61), 0.01);
  EXPECT_EQ(steps.factor(500), 1e-3);
  const Schedule inverse{.decay = Decay::inverse_sqrt, .warmup = 100, .floor = 0.01};
  EXPECT_EQ(inverse.factor(100), 1);
  EXPECT_DOUBLE_EQ(inverse.factor(400), 0.5);
  EXPECT_EQ(inverse.factor(100000000), 0.01);
  EXPECT_DOUBLE_EQ((Schedule{.decay = Decay::inverse_sqrt}.factor(9)), 1.0 / 3);
}

/// The end of warm-up and hold is no sum that overflows.
TEST(Schedule, MayHoldForEver) {
  constexpr std::int64_t ever = std::numeric_limits<std::int64_t>::max();
  for (const Decay decay : {Decay::constant, Decay::inverse_sqrt, Decay::step}) {
    const Schedule schedule{.decay = decay, .warmup = 10, .hold = ever, .period = 5};
    EXPECT_EQ(schedule.factor(5), 0.5);
    EXPECT_EQ(schedule.factor(1000), 1);
    EXPECT_EQ(schedule.factor(ever), 1);
  }
  const Schedule longest{.decay = Decay::step, .warmup = 10, .hold = ever - 11, .period = 1};
  EXPECT_EQ(longest.factor(ever - 1), 1);
  EXPECT_EQ(longest.factor(ever), 1);
  // nothing lies beyond
  for (const Decay decay : {Decay::cosine, Decay::linear})
    for (const std::int64_t step : {5, 11, 1000}) {
      const Schedule schedule{.decay = decay, .warmup = 10, .total = 100, .hold = ever};
      EXPECT_THROW(schedule.factor(step), DomainError) << step;
    }
}

TEST(Schedule, TotalIsCheckedAtEveryStep) {
  for (const Decay decay : {Decay::cosine, Decay::linear})
    for (const std::int64_t step : {1, 3, 10, 11}) {
      const Schedule schedule{.decay = decay, .warmup = 10, .total = 5};
      const auto message = mct::testing::message_of<DomainError>([&] { schedule.factor(step); });
      EXPECT_NE(message.find("total 5 does not lie beyond a warm-up of 10"), std::string::npos)
          << message;
    }
}

TEST(Schedule, ErrorsNameTheNumber) {
  const auto message = [](const Schedule& schedule) {
    return mct::testing::message_of<DomainError>([&] { schedule.factor(50); });
  };
  EXPECT_NE(message({.warmup = -1}).find("warmup -1"), std::string::npos);
  EXPECT_NE(message({.hold = -2}).find("hold -2"), std::string::npos);
  EXPECT_NE(message({.floor = 1.5}).find("floor 1.5"), std::string::npos);
  EXPECT_NE(message({.decay = Decay::step}).find("period 0"), std::string::npos);
  EXPECT_NE(message({.decay = Decay::step, .period = 1, .gamma = 2}).find("gamma 2"),
            std::string::npos);
  EXPECT_NE(message({.decay = Decay::cosine, .total = 30, .hold = 40}).find("total 30"),
            std::string::npos);
}

}  // namespace
}  // namespace mct::test
