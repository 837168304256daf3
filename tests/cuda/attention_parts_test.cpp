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

/// Of 2^(127 (y - 1)), or quick: of 2^x, from 2^-126 on.
template <bool quick>
double worst_weight() {
  double worst = 0;
  for (int i = 1 << 10; i <= 1 << 20; ++i) {
    const float y = 0x1p-20F * float(i);
    const float x = 127 * (y - 1);
    const double exact = std::exp2(quick ? double(x) : 127 * (double(y) - 1));
    const double got = quick ? quick_power_of_two(x) : weight_of_unit(y);
    if (exact >= 0x1p-126) worst = std::fmax(worst, std::fabs(got - exact) / exact);
  }
  return worst;
}

TEST(CudaAttentionWeight, Errors) {
  EXPECT_LE(worst_weight<false>(), 0x1p-23 + 8 * 0x1p-24);
  EXPECT_LE(worst_weight<true>(), 0x1p-22);
}

TEST(CudaAttentionWeight, Borders) {
  EXPECT_EQ(weight_of_unit(0), 0);
  EXPECT_EQ(weight_of_unit(1), 1);
  for (int i = 0; i < 1000; ++i) {  // between 0 and the least normal number
    const float w = weight_of_unit(0x1p-20F * float(i));
    EXPECT_GE(w, 0);
    EXPECT_LE(w, 0x1p-125F);
  }
  EXPECT_EQ(quick_power_of_two(0), 1);
  for (const float x : {-127.0F, -1e30F, -infinity}) EXPECT_EQ(quick_power_of_two(x), 0);
}

/// How far weights are from the truth, in units of what is allowed.
template <bool quick>
double worst_of_scores() {
  double worst = 0;
  for (const float base : {-1000.0F, -3.0F, 0.0F, 40.0F, 1e6F})
    for (const float below : {0.0F, 0.25F, 1.0F, 10.0F, 60.0F, 80.0F}) {
      const float score = float((double(base) - double(below)) / 1.4426950408889634);
      const double exact = std::exp2(double(score) * 1.4426950408889634 - double(base));
      const double allowed =
          std::fabs(score) * 0x1p-23 + (quick ? 0x1p-22 : std::fabs(base) * 0x1p-24 + 0x1p-18);
      worst = std::fmax(
          worst, std::fabs(WeightScale<quick>::of(base).weight(score) / exact - 1) / allowed);
    }
  return worst;
}

TEST(CudaAttentionWeight, OfScores) {
  EXPECT_LE(worst_of_scores<false>(), 1);
  EXPECT_LE(worst_of_scores<true>(), 1);
  EXPECT_EQ(WeightScale<true>::of(3).weight(-infinity), 0);
  EXPECT_EQ(WeightScale<true>::of(-infinity).weight(-infinity), 0);
  EXPECT_EQ(WeightScale<true>::of(0).weight(-200), 0);
  EXPECT_EQ(WeightScale<true>{WeightScale<true>::nothing}.weight(80), 0);
  EXPECT_EQ(WeightScale<false>::of(-infinity).weight(-infinity), 0);
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

/// The places of products by warpgroups: lines of 64 coordinates, each panel without gaps.
TEST(CudaAttentionTile, Panels) {
  using Tile = TilePanels<128, 96>;
  std::set<int> places;
  for (int row = 0; row < 96; ++row)
    for (int c = 0; c < 16; ++c) {
      EXPECT_EQ(Tile::place(row, c), c / 8 * 96 * 64 + row * 64 + ((c % 8) ^ (row % 8)) * 8);
      places.insert(Tile::place(row, c));
    }
  EXPECT_EQ(places.size(), 96U * 16);
  EXPECT_EQ(*places.rbegin(), 96 * 128 - 8);
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
