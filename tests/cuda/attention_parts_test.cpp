// What attention's block programs are made of: weights, places in shared memory, prepared operands.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "cuda/attention/tile.hpp"
#include "cuda/attention/weight.hpp"
#include "tests/cuda/attention.hpp"

namespace {

using namespace mct::cuda;
using mct::bfloat16;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

double worst_weight(float (&weight)(float)) {
  double worst = 0;
  for (int i = 1 << 10; i <= 1 << 20; ++i) {  // from 2^-126 on
    const float y = 0x1p-20F * float(i);
    const double exact = std::exp2(127 * (double(y) - 1));
    if (exact >= 0x1p-126) worst = std::fmax(worst, std::fabs(weight(y) - exact) / exact);
  }
  return worst;
}
float by_polynomial(float y) { return weight_of_unit(y); }
float by_approximation(float y) { return quick_weight_of_unit(y); }

TEST(CudaAttentionWeight, Errors) {
  EXPECT_LE(worst_weight(by_polynomial), 0x1p-23 + 8 * 0x1p-24);
  EXPECT_LE(worst_weight(by_approximation), 0x1p-18);
}

TEST(CudaAttentionWeight, Borders) {
  for (const auto weight : {by_polynomial, by_approximation}) {
    EXPECT_EQ(weight(0), 0);
    EXPECT_EQ(weight(1), 1);
    for (int i = 0; i < 1000; ++i) {  // between 0 and the least normal number
      const float w = weight(0x1p-20F * float(i));
      EXPECT_GE(w, 0);
      EXPECT_LE(w, 0x1p-125F);
    }
  }
}

TEST(CudaAttentionWeight, OfScores) {
  for (const float base : {-1000.0F, -3.0F, 0.0F, 40.0F, 1e6F})
    for (const float below : {0.0F, 0.25F, 1.0F, 10.0F, 60.0F, 80.0F}) {
      const float score = float((double(base) - double(below)) / 1.4426950408889634);
      const double exact = std::exp2(double(score) * 1.4426950408889634 - double(base));
      const double allowed = std::fabs(score) * 0x1p-23 + std::fabs(base) * 0x1p-24 + 0x1p-18;
      EXPECT_NEAR(WeightScale::of(base).weight<false>(score) / exact, 1, allowed)
          << base << ' ' << below;
    }
  EXPECT_EQ(WeightScale::of(3).weight<true>(-infinity), 0);
  EXPECT_EQ(WeightScale::of(-infinity).weight<true>(-infinity), 0);
  EXPECT_EQ(WeightScale::of(0).weight<true>(-200), 0);
}

TEST(CudaAttentionWeight, SmallFunctions) {
  for (float x = 0x1p-60F; x < 0x1p60F; x *= 1.37F) {
    EXPECT_NEAR(double(reciprocal(x)) * double(x), 1, 0x1p-23);
    const double log = std::log(double(x));
    EXPECT_NEAR(log_of_weights(0, x), log, 0x1p-22 * (0.5 + std::fabs(log)));
    EXPECT_NEAR(log_of_weights(-500, x), log - 500 * 0.6931471805599453, 0x1p-22 * 400);
  }
  EXPECT_TRUE(std::isnan(reciprocal(nan)));
  EXPECT_EQ(power_of_negative(0), 1);
  EXPECT_EQ(power_of_negative(-126), 0x1p-126F);
  for (const float k : {-127.0F, -1e30F, -infinity}) EXPECT_EQ(power_of_negative(k), 0);
  EXPECT_TRUE(std::isnan(larger_or_nan(nan, 1)));
  EXPECT_TRUE(std::isnan(larger_or_nan(1, nan)));
  EXPECT_EQ(larger_or_nan(-infinity, -2), -2);
}

/// The 16 bytes of eight lanes that an access serves at once lie in different banks.
template <int D>
void test_banks() {
  const auto bank = [](int place) { return place * 2 / 16 % 8; };
  for (int row = 0; row < 16; row += 8)
    for (int c = 0; c < D / 8; ++c) {
      std::set<int> rows, chunks;
      for (int i = 0; i < 8; ++i) {
        rows.insert(bank(TileRows<D>::place(row + i, c)));
        chunks.insert(bank(TileRows<D>::place(row, c / 8 * 8 + i)));
      }
      EXPECT_EQ(rows.size(), 8U);
      EXPECT_EQ(chunks.size(), 8U);
    }
  for (int step = 0; step < D / 16; ++step)
    for (int r = 0; r < 16; ++r)
      for (const int c : {0, 1})
        EXPECT_EQ(place_of_step<D>(64 * D, 16, r, c, step),
                  64 * D + TileRows<D>::place(16 + r, 2 * step + c));
}
TEST(CudaAttentionTile, HasNoBankConflicts) {
  test_banks<64>();
  test_banks<128>();
}

TEST(CudaAttentionPairs, LimitsOfAMask) {
  for (const int queries : {1, 3, 7})
    for (const int keys : {1, 4, 7})
      for (const bool causal : {false, true}) {
        const PairSizes sizes{queries, keys, causal};
        for (int i = 0; i < queries + 5; ++i)
          for (int j = 0; j < keys; ++j) {
            const bool seen = !causal || j <= i + keys - queries;
            EXPECT_EQ(j <= sizes.last_key(i), seen);
            EXPECT_EQ(i >= sizes.first_query(j), seen);
          }
      }
}

TEST(CudaAttentionOperands, SplitsVectors) {
  for (const int columns : {3, 12, 64}) {
    const auto x = mct::randn<float, 1>({2, 5, columns}, 3);
    const mct::cuda::testing::DeviceVectors<float> got(x, {1});
    const auto values = x.values();
    for (int row = 0; row < 10; ++row)
      for (int c = 0; c < got.width; ++c) {
        const auto at = std::size_t(row * got.width + c);
        const float high = float(got.data[at]);
        const float low = float(got.data[at + std::size_t(got.plane())]);
        const float want = c < columns ? float(values[std::size_t(row * columns + c)]) : 0;
        EXPECT_EQ(high, float(bfloat16(want)));
        EXPECT_EQ(low, float(bfloat16(want - high)));
        EXPECT_LE(std::fabs(high + low - want), 0x1p-17F * std::fabs(want));
      }
  }
}

TEST(CudaAttentionOperands, GathersNumbers) {
  const auto x = mct::cuda::testing::rounded(mct::randn<float, 1>({2, 9, 72}, 3), 1);
  const auto numbers = mct::randn<float, 1>({2, 9, 3}, 4);
  const mct::cuda::testing::DeviceVectors<bfloat16> vectors(x, {1});
  const mct::cuda::testing::DeviceNumbers<bfloat16> got(vectors, numbers, 0, {1});
  for (int group = 0; group < 2; ++group)
    for (int i = 0; i < got.padded; ++i) {
      double length = 0;
      for (int c = 0; i < 9 && c < 72; ++c) length += std::pow(double(x.at({group, i, c})), 2);
      const auto plane = [&](int n) {
        return got.data[std::size_t((group * got.planes + n) * got.padded + i)];
      };
      EXPECT_NEAR(plane(0), length, 12 * 0x1p-24 * length);
      for (int n = 0; n < 3; ++n)
        EXPECT_EQ(plane(1 + n), i < 9 ? float(numbers.at({group, i, n})) : 0);
    }
}

}  // namespace
