// Small promises of expansions that no accuracy check sees: constant evaluation, signs of zero in
// lower limbs, what a hash depends on.
#include <gtest/gtest.h>

#include <cmath>
#include <unordered_set>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/hash.hpp"

namespace {

template <class X>
class EdgeCases : public ::testing::Test {};
using Types = ::testing::Types<mct::f64x2, mct::f64x3, mct::f64x4, mct::f32x2, mct::f32x3>;
TYPED_TEST_SUITE(EdgeCases, Types);

// A compiler has no std::fabs here: the magnitude of constants is code of its own.
TYPED_TEST(EdgeCases, MagnitudesOfConstants) {
  using X = TypeParam;
  static_assert(abs(X(-3)) == 3 && abs(X(3)) == 3 && abs(X(0)) == 0);
  static_assert(abs(X(-1) / 3) == X(1) / 3);
  static_assert(isinf(-std::numeric_limits<X>::infinity()));
}

TYPED_TEST(EdgeCases, RemaindersHavePlainZerosBehind) {
  using X = TypeParam;
  for (const int x : {-7, 7}) {
    const X r = fmod(X(x), X(4));
    EXPECT_EQ(r, x < 0 ? -3 : 3);
    for (int i = 1; i < X::components; ++i) EXPECT_FALSE(std::signbit(r.limb[i]) || r.limb[i] != 0);
  }
  EXPECT_TRUE(std::signbit(fmod(X(-8), X(4)).limb[0]));
  EXPECT_FALSE(std::signbit(fmod(X(8), X(-4)).limb[0]));
}

TYPED_TEST(EdgeCases, AHashDependsOnEveryLimbAndItsPlace) {
  using X = TypeParam;
  using T = typename X::value_component;
  std::unordered_set<std::size_t> seen;
  int count = 0;
  for (int k = 0; k < X::components; ++k) {
    X x = 1;
    for (int i = 1; i <= k; ++i) x.limb[i] = std::ldexp(T(1), -40 * i);
    for (int i = 1; i <= 1000; ++i, ++count) {
      x.limb[k] = std::ldexp(T(1) + T(i) / 1024, -40 * k);
      seen.insert(std::hash<X>{}(x));
    }
  }
  EXPECT_EQ(int(seen.size()), count);
}

}  // namespace
