// Labels beside points, without overlap.
#include "src/pictures/label_layout.hpp"

#include <gtest/gtest.h>

#include <random>

namespace mct::embed {
namespace {

TEST(LabelLayout, PrefersTheOuterSide) {
  const Box page{0, 0, 100, 100};
  const auto right = LabelLayout(page).place({50, 50, 3, 1, 0}, 20, 10);
  ASSERT_TRUE(right);
  EXPECT_EQ(right->left, 55);
  EXPECT_DOUBLE_EQ((right->top + right->bottom) / 2, 50);
  EXPECT_EQ(right->right, 75);
  const auto left = LabelLayout(page).place({50, 50, 3, -1, 0}, 20, 10);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->right, 45);
  // not off the page
  const auto inner = LabelLayout(page).place({95, 50, 3, 1, 0}, 20, 10);
  ASSERT_TRUE(inner);
  EXPECT_LE(inner->right, 100);
  EXPECT_FALSE(LabelLayout(page).place({50, 50, 3, 1, 0}, 120, 10));
}

TEST(LabelLayout, NothingOverlaps) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(0, 400), width(10, 90);
  const Box page{0, 0, 400, 400};
  LabelLayout layout(page);
  std::vector<Box> boxes;
  for (int i = 0; i < 30; ++i) {
    const double x = place(random), y = place(random);
    boxes.push_back({x, y, x + 12, y + 12});
    layout.block(boxes.back());
  }
  std::size_t placed = 0;
  for (int i = 0; i < 600; ++i) {
    const double x = place(random), y = place(random);
    const auto box = layout.place({x, y, 2, x - 200, y - 200}, width(random), 11);
    if (!box) continue;
    ++placed;
    for (const Box& other : boxes) EXPECT_FALSE(box->overlaps(other));
    EXPECT_GE(box->left, 0);
    EXPECT_GE(box->top, 0);
    EXPECT_LE(box->right, 400);
    EXPECT_LE(box->bottom, 400);
    // it touches its dot, nearly
    EXPECT_TRUE(box->overlaps({x - 6, y - 6, x + 6, y + 6}));
    boxes.push_back(*box);
  }
  EXPECT_GT(placed, 60u);
}

}  // namespace
}  // namespace mct::embed
