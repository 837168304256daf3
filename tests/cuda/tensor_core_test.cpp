// The models of tensor cores, on cases worked out by hand.
#include "tests/cuda/simulator/tensor_core.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "mctensor/eft/half.hpp"

namespace {

using namespace mct::cuda;

/// c + a[0] b[0] + .. of the products that are given, the others 0.
struct Sum {
  float a[16] = {}, b[16] = {};
  float c = 0;

  Sum& product(int k, float x, float y = 1) {
    a[k] = x;
    b[k] = y;
    return *this;
  }
  float by(TensorCore how) const { return tensor_core_sum(c, a, b, how); }
};

TEST(TensorCore, BitsBehindTheLargestTerm) {
  // 1 - 1 + a small number: it survives where its last bit is one that is kept
  for (int bit = 20; bit < 30; ++bit) {
    const float small = std::ldexp(1.0F, -bit);
    const Sum sum = Sum().product(0, 1).product(1, -1).product(2, small);
    EXPECT_EQ(sum.by(TensorCore::rounded), small);
    EXPECT_EQ(sum.by(TensorCore::ampere), bit <= 24 ? small : 0) << bit;
    EXPECT_EQ(sum.by(TensorCore::hopper), bit <= 25 ? small : 0) << bit;
  }
}

TEST(TensorCore, CutsOffTowardsZero) {
  for (const float sign : {1.0F, -1.0F}) {
    Sum sum;
    sum.c = sign;
    // 1 + 2^-23 1.75: to the nearest 1 + 2^-22, cut off 1 + 2^-23
    sum.product(3, sign * 0x1.cp-23F);
    EXPECT_EQ(sum.by(TensorCore::rounded), sign * (1 + 0x1p-22F));
    EXPECT_EQ(sum.by(TensorCore::ampere), sign * (1 + 0x1p-23F));
    EXPECT_EQ(sum.by(TensorCore::hopper), sign * (1 + 0x1p-23F));
  }
}

TEST(TensorCore, BlocksOneAfterTheOther) {
  // in the first eight nothing cancels, so A100 rounds before 1 - 1 is added in the second
  const Sum sum = Sum().product(0, 1).product(1, 0x1p-25F).product(8, -1);
  EXPECT_EQ(sum.by(TensorCore::hopper), 0x1p-25F);
  EXPECT_EQ(sum.by(TensorCore::ampere), 0);
  // and c takes part in each
  Sum late;
  late.c = 0x1p-23F;
  late.product(8, 1).product(9, -1);
  EXPECT_EQ(late.by(TensorCore::hopper), 0x1p-23F);
  EXPECT_EQ(late.by(TensorCore::ampere), 0x1p-23F);
  late.c = 0x1p-26F;
  EXPECT_EQ(late.by(TensorCore::hopper), 0);
  EXPECT_EQ(late.by(TensorCore::ampere), 0);
}

TEST(TensorCore, ProductsAreNotNormalized) {
  // 1.5 1.5 = 2.25 has the exponent 0 of its factors: a term 2^-25 survives on an H100, which it
  // would not beside 2.25 = 1.125 2^1
  const Sum sum = Sum().product(0, 1.5F, 1.5F).product(1, -2.25F, 1).product(2, 0x1p-25F);
  EXPECT_EQ(sum.by(TensorCore::hopper), 0);  // -2.25 1 has exponent 1
  const Sum bare = Sum().product(0, 1.5F, 1.5F).product(1, -1.5F, 1.5F).product(2, 0x1p-25F);
  EXPECT_EQ(bare.by(TensorCore::hopper), 0x1p-25F);
  EXPECT_EQ(bare.by(TensorCore::ampere), 0);
}

TEST(TensorCore, SubnormalAndSpecialNumbers) {
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (const TensorCore how : {TensorCore::rounded, TensorCore::ampere, TensorCore::hopper}) {
    Sum sum;
    sum.c = 3 * tiny;
    EXPECT_EQ(sum.by(how), 3 * tiny);
    EXPECT_EQ(Sum().product(0, 0x1p-130F, 0x1p-3F).by(how), 0x1p-133F);
    EXPECT_EQ(Sum().by(how), 0);
    EXPECT_EQ(Sum().product(5, 0x1p127F, 2).by(how), inf);
    EXPECT_EQ(Sum().product(5, inf).by(how), inf);
    EXPECT_EQ(Sum().product(5, -0x1p127F, 2).by(how), -inf);
    EXPECT_TRUE(std::isnan(Sum().product(5, inf).product(6, -inf).by(how)));
    EXPECT_TRUE(std::isnan(Sum().product(15, inf, 0).by(how)));
  }
}

/// Beside the sum in double: the bound of tensor_core.hpp, which some sum comes near to.
TEST(TensorCore, ErrorsAreWithinTheBound) {
  std::mt19937 random(5);
  std::normal_distribution<float> number;
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    Sum sum;
    sum.c = number(random);
    double exact = sum.c;
    double largest = std::fabs(exact);
    for (int k = 0; k < 16; ++k) {
      sum.product(k, float(mct::bfloat16(number(random))), float(mct::bfloat16(number(random))));
      const double product = double(sum.a[k]) * double(sum.b[k]);
      exact += product;
      largest = std::fmax(largest, std::fabs(product));
    }
    const double error = std::fabs(sum.by(TensorCore::hopper) - exact);
    const double bound = 17 * std::ldexp(largest, -24) + std::ldexp(std::fabs(exact), -22);
    EXPECT_LE(error, bound);
    worst = std::fmax(worst, error / bound);
    EXPECT_LE(std::fabs(sum.by(TensorCore::ampere) - exact), 4 * bound);
  }
  EXPECT_GT(worst, 0.15);
}

}  // namespace
