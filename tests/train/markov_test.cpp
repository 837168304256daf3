// The Markov source: exact divergences, the student, a short training.
#include "apps/mct/train/markov.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/error.hpp"

namespace mct::test {
namespace {

using namespace cli::train;

TEST(Markov, DivergencesOfTheTeacher) {
  const MarkovTeacher teacher(1);
  const auto& p = teacher.probabilities();
  EXPECT_EQ(teacher.divergence(p), 0);
  // from the uniform distribution: log 32 less the entropy
  double entropy = 0;
  double total = 0;
  for (const double q : p) {
    entropy -= q * std::log(q) / double(MarkovTeacher::contexts);
    total += q;
  }
  EXPECT_NEAR(total, double(MarkovTeacher::contexts), 1e-9);
  const std::vector<double> uniform(p.size(), 1 / 32.0);
  EXPECT_NEAR(teacher.divergence(uniform), std::log(32.0) - entropy, 1e-12);
  EXPECT_GT(teacher.divergence(uniform), 0.5);
}

TEST(Markov, SamplesFollowTheTeacher) {
  const MarkovTeacher teacher(2);
  std::vector<int> counts(MarkovTeacher::symbols);
  constexpr int draws = 10000;
  for (int i = 0; i < draws; ++i) ++counts[std::size_t(teacher.sample(77, (i + 0.5) / draws))];
  for (std::size_t s = 0; s < counts.size(); ++s)
    EXPECT_NEAR(double(counts[s]) / draws, teacher.probabilities()[77 * MarkovTeacher::symbols + s],
                2.0 / draws);
}

TEST(Markov, StudentHas4768ParametersAndLearns) {
  MarkovStudent student(1);
  EXPECT_EQ(student.num_parameters(), 4768);
  const MarkovTeacher teacher(1);
  const double untrained = teacher.divergence(student.probabilities());
  MarkovOptions options;
  options.steps = 400;
  options.warmup = 40;
  std::int64_t seen = 0;
  const auto result =
      train_markov(strategy_arms({"plus"})[0], options, [&](std::int64_t step) { seen = step; });
  EXPECT_EQ(seen, 400);
  EXPECT_LT(result.divergence, 0.7 * untrained);
  EXPECT_GT(result.descent_quality, 0.9);
}

TEST(StrategyArms, Names) {
  EXPECT_EQ(strategy_arms({"all"}).size(), 17U);
  EXPECT_EQ(strategy_arms({"registers"}).size(), 14U);
  EXPECT_EQ(strategy_arms({"plus-strict", "plus-strict"}).size(), 1U);
  EXPECT_THROW(strategy_arms({"nonsense"}), DomainError);
}

}  // namespace
}  // namespace mct::test
