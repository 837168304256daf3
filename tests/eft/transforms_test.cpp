// Error-free transforms on values chosen by hand: edges of the formats and of the stated domains.
// Random input is the precision suite's task.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/eft/all.hpp"

#if MCT_WITH_XSIMD
#include "mctensor/interop/xsimd.hpp"
#endif

namespace {

template <class T>
class Transforms : public ::testing::Test {};
using Components = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Transforms, Components);

TYPED_TEST(Transforms, TwoSumKeepsWhatTheSumLoses) {
  using T = TypeParam;
  const T tiny = mct::FloatTraits<T>::u / 4;
  const auto [hi, lo] = mct::two_sum(T(1), tiny);
  EXPECT_EQ(hi, T(1));
  EXPECT_EQ(lo, tiny);
  const auto [dhi, dlo] = mct::two_diff(T(1), tiny);
  EXPECT_EQ(dhi, T(1));
  EXPECT_EQ(dlo, -tiny);
  const auto [fhi, flo] = mct::fast_two_sum(T(1), tiny);
  EXPECT_EQ(fhi, T(1));
  EXPECT_EQ(flo, tiny);
}

TYPED_TEST(Transforms, TwoSumTieGoesToEven) {
  using T = TypeParam;
  const T u = mct::FloatTraits<T>::u;  // half an ulp of 1
  const auto [hi, lo] = mct::two_sum(1 + 2 * u, u);
  EXPECT_EQ(hi, 1 + 4 * u);
  EXPECT_EQ(lo, -u);
}

TYPED_TEST(Transforms, TwoSumIsExactOnSubnormals) {
  using T = TypeParam;
  const T eta = mct::FloatTraits<T>::eta;
  const auto [hi, lo] = mct::two_sum(3 * eta, -2 * eta);
  EXPECT_EQ(hi, eta);
  EXPECT_EQ(lo, 0);
}

TYPED_TEST(Transforms, TwoSumOverflowGivesInfinity) {
  using T = TypeParam;
  const T big = mct::FloatTraits<T>::max;
  EXPECT_EQ(mct::two_sum(big, big).hi, mct::FloatTraits<T>::infinity);
  EXPECT_TRUE(std::isnan(mct::two_sum(mct::FloatTraits<T>::nan, T(1)).hi));
}

TYPED_TEST(Transforms, ProductsByFmaAndBySplittingAgree) {
  using T = TypeParam;
  const T a = 1 + mct::FloatTraits<T>::u * 2;
  for (const T b : {T(1) / 3, T(-7.3), std::nextafter(T(2), T(0)), T(1e20)}) {
    const auto fused = mct::two_prod(a, b);
    const auto split = mct::two_prod_dekker(a, b);
    EXPECT_EQ(fused.hi, split.hi);
    EXPECT_EQ(fused.lo, split.lo);
    EXPECT_NE(fused.lo, 0);
  }
}

TYPED_TEST(Transforms, DekkerProductDoesNotOverflowInside) {
  using T = TypeParam;
  const T huge = mct::FloatTraits<T>::max;
  const auto scaled = mct::two_prod_dekker(huge, T(0.5));
  EXPECT_EQ(scaled.hi, huge / 2);
  EXPECT_EQ(scaled.lo, 0);
  const T root = std::sqrt(huge);
  const auto square = mct::two_prod_dekker(root, root);
  EXPECT_TRUE(std::isfinite(square.hi));
  EXPECT_EQ(square.lo, std::fma(root, root, -square.hi));
}

TYPED_TEST(Transforms, SplitWorksUpToTheLargestValue) {
  using T = TypeParam;
  for (const T a : {mct::FloatTraits<T>::max, -mct::FloatTraits<T>::max, T(1) / 3, T(0),
                    mct::FloatTraits<T>::eta * 5}) {
    const auto [hi, lo] = mct::split(a);
    EXPECT_TRUE(std::isfinite(hi));
    EXPECT_EQ(hi + lo, a);
  }
}

TYPED_TEST(Transforms, Ulp) {
  using T = TypeParam;
  const T u = mct::FloatTraits<T>::u;
  EXPECT_EQ(mct::ulp(T(1)), 2 * u);
  EXPECT_EQ(mct::ulp(T(-1.5)), 2 * u);
  EXPECT_EQ(mct::ulp(std::nextafter(T(1), T(0))), u);
  EXPECT_EQ(mct::ulp(T(0)), mct::FloatTraits<T>::eta);
  EXPECT_EQ(mct::ulp(std::numeric_limits<T>::min()), mct::FloatTraits<T>::eta);
  EXPECT_TRUE(std::isnan(mct::ulp(mct::FloatTraits<T>::infinity)));
}

TYPED_TEST(Transforms, AreConstantExpressions) {
  using T = TypeParam;
  constexpr auto sum = mct::two_sum(T(1), mct::FloatTraits<T>::u / 2);
  static_assert(sum.lo == mct::FloatTraits<T>::u / 2);
  constexpr auto product = mct::two_prod(T(1) / 3, T(3));
  static_assert(product.hi == 1 && product.lo != 0);
}

#if MCT_WITH_XSIMD
TYPED_TEST(Transforms, LanesOfABatchEqualScalars) {
  using T = TypeParam;
  using Batch = xsimd::batch<T>;
  alignas(64) T a[Batch::size];
  alignas(64) T b[Batch::size];
  for (std::size_t i = 0; i < Batch::size; ++i) {
    a[i] = T(1) / T(i + 3);
    b[i] = T(i % 2 == 0 ? 1e-3 : -1e5) / T(i + 7);
  }
  const Batch x = Batch::load_aligned(a);
  const Batch y = Batch::load_aligned(b);
  const auto sum = mct::two_sum(x, y);
  const auto product = mct::two_prod(x, y);
  const auto halves = mct::split(x);
  for (std::size_t i = 0; i < Batch::size; ++i) {
    EXPECT_EQ(sum.lo.get(i), mct::two_sum(a[i], b[i]).lo);
    EXPECT_EQ(product.hi.get(i), mct::two_prod(a[i], b[i]).hi);
    EXPECT_EQ(product.lo.get(i), mct::two_prod(a[i], b[i]).lo);
    EXPECT_EQ(halves.hi.get(i), mct::split(a[i]).hi);
  }
}
#endif

}  // namespace
