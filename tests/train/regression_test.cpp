// The regressions: two halves reach what one half cannot.
#include "apps/mct/train/regression.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/error.hpp"

namespace mct::test {
namespace {

using namespace cli::train;

RegressionResult run(const char* arm, const Task& task) {
  return find_arm(arm).run(task, [](std::int64_t) {});
}

TEST(Regression, TwoHalvesFitWhatOneHalfCannot) {
  const Task task = make_task("linear", {}, 1, true);
  const double one = run("f16", task).train_loss;
  const double two = run("f16x2", task).train_loss;
  const double two_long = run("f16x2-long", task).train_loss;
  EXPECT_GT(one, 1e-6);
  EXPECT_LT(two, 1e-7);
  EXPECT_LT(two_long, 1e-10);
}

TEST(Regression, ComponentsOfBfloat16ReachTheLossOfFloat) {
  const Task task = make_task("logistic", {}, 1, true);
  const auto one = run("bf16", task);
  const auto two = run("bf16x2", task);
  const auto single = run("f32", task);
  EXPECT_NEAR(two.train_loss, single.train_loss, 0.005 * single.train_loss);
  EXPECT_GT(one.train_loss, 1.05 * single.train_loss);
  EXPECT_GT(two.test_accuracy, 90);
  EXPECT_EQ(two.curve.front().epoch, 0);
  EXPECT_EQ(two.curve.back().epoch, task.epochs);
}

TEST(Regression, EveryTaskTrainsWithSgdAndAdam) {
  for (const auto& name : task_names()) {
    Task task = make_task(name, {}, 1, true);
    task.epochs = 2;
    const auto result = run("f32", task);
    EXPECT_TRUE(std::isfinite(result.train_loss)) << name;
    EXPECT_LT(result.train_loss, result.curve.front().loss) << name;
  }
}

TEST(Regression, UnknownNames) {
  EXPECT_THROW(make_task("nonsense", {}, 1, true), DomainError);
  EXPECT_THROW(find_arm("f8"), DomainError);
}

}  // namespace
}  // namespace mct::test
