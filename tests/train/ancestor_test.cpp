// The task on a tree: its answers, and that a layer learns them.
#include "apps/mct/train/ancestor_task.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mct::cli::train {
namespace {

TEST(Ancestors, DepthsOfATree) {
  const LeafTree tree{2, 3};
  EXPECT_EQ(tree.leaves(), 8);
  EXPECT_EQ(tree.ancestor_depth(5, 5), 3);
  EXPECT_EQ(tree.ancestor_depth(4, 5), 2);
  EXPECT_EQ(tree.ancestor_depth(6, 5), 1);
  EXPECT_EQ(tree.ancestor_depth(0, 7), 0);
}

TEST(Ancestors, HeldOutPairsAreNeverTrained) {
  AncestorOptions options;
  options.tree = {3, 4};
  options.keys = 5;
  std::set<std::pair<std::int64_t, std::int64_t>> trained, tested;
  for (std::uint64_t i = 0; i < 2000; ++i)
    for (const bool held_out : {false, true}) {
      const Question question = draw_question(options, held_out, i);
      std::set<std::int64_t> different(question.keys.begin(), question.keys.end());
      EXPECT_EQ(different.size(), 5U);
      for (const std::int64_t key : question.keys) {
        EXPECT_NE(key, question.query);
        (held_out ? tested : trained)
            .insert({std::min(key, question.query), std::max(key, question.query)});
      }
    }
  for (const auto& pair : tested) EXPECT_EQ(trained.count(pair), 0U);
  EXPECT_GT(tested.size(), 500U);  // about a fifth of 3240
  EXPECT_LT(tested.size(), 800U);
}

TEST(Ancestors, IsLearned) {
  AncestorOptions options;
  options.tree = {3, 3};
  options.keys = 2;
  options.width = 12;
  options.steps = 400;
  options.test_queries = 300;
  const double guessed = chance(options);
  for (const auto comparison :
       {attention::Comparison::dot_product, attention::Comparison::umbral}) {
    options.comparison = comparison;
    EXPECT_GT(train_ancestors(options), guessed + 0.4 * (100 - guessed));
  }
}

}  // namespace
}  // namespace mct::cli::train
