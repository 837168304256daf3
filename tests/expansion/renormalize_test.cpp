// Edges that random operands do not meet: the invariant at every pair of limbs, ties that a later
// limb breaks, signs of zero, comparisons of one component, special values of mul_add.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/expansion/arithmetic.hpp"

namespace {

using mct::Expansion;

template <class T>
class Edges : public ::testing::Test {
 protected:
  static constexpr T unit = mct::FloatTraits<T>::u;
  static constexpr T infinity = std::numeric_limits<T>::infinity();
};
using Components = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Edges, Components);

TYPED_TEST(Edges, TheInvariantHoldsForEveryPair) {
  using T = TypeParam;
  const T u = this->unit;
  const T more = u * (1 + 2 * u);  // just beyond half an ulp of 1
  EXPECT_TRUE(is_normalized(Expansion<T, 1>(T(1))));
  EXPECT_TRUE(is_normalized(Expansion<T, 2>::from_limbs(T(1), u)));
  EXPECT_FALSE(is_normalized(Expansion<T, 2>::from_limbs(T(1), more)));
  EXPECT_FALSE(is_normalized(Expansion<T, 2>::from_limbs(T(1), -more)));
  EXPECT_TRUE(is_normalized(Expansion<T, 3>::from_limbs(T(1), u, u * u)));
  EXPECT_FALSE(is_normalized(Expansion<T, 3>::from_limbs(T(1), u, u * more)));
  EXPECT_FALSE(is_normalized(Expansion<T, 3>::from_limbs(T(1), more, u * u)));
  EXPECT_FALSE(is_normalized(Expansion<T, 2>::from_limbs(T(0), u)));
  EXPECT_FALSE(is_normalized(Expansion<T, 3>::from_limbs(T(1), T(0), u)));
  EXPECT_FALSE(is_normalized(Expansion<T, 2>::from_limbs(this->infinity, T(1))));
  EXPECT_TRUE(is_normalized(Expansion<T, 2>::from_limbs(this->infinity, T(0))));
}

TYPED_TEST(Edges, ALaterLimbBreaksATie) {
  using T = TypeParam;
  const T u = this->unit;
  for (const T sign : {T(1), T(-1)}) {
    // 1 + u lies halfway between 1 and 1 + 2u; what follows decides
    const T above[3] = {sign, sign * u, sign * u * u};
    const auto x = mct::renormalize<3>(above);
    EXPECT_EQ(x.limb[0], sign * (1 + 2 * u));
    EXPECT_EQ(x.limb[1], -sign * (u - u * u));
    EXPECT_EQ(x.limb[2], 0);
    const T below[3] = {sign, sign * u, -sign * u * u};
    const auto y = mct::renormalize<3>(below);
    EXPECT_EQ(y.limb[0], sign);
    EXPECT_EQ(y.limb[1], sign * (u - u * u));
    // no tie: nearly half an ulp
    const T near = u * (1 - u);
    const T nearly[3] = {sign, sign * near, sign * u * u / 4};
    EXPECT_EQ(mct::renormalize<3>(nearly).limb[0], sign);
    // the same between the second limb and the third
    const T later[4] = {sign, sign * u / 4, sign * u * u / 4, sign * u * u * u / 4};
    const auto z = mct::renormalize<4>(later);
    EXPECT_EQ(z.limb[0], sign);
    EXPECT_EQ(z.limb[1], sign * (u / 4) * (1 + 2 * u));
    EXPECT_EQ(z.limb[2], -sign * (u * u / 4) * (1 - u));
  }
}

TYPED_TEST(Edges, ZeroSumsHaveTheSignOfThePlainSum) {
  using T = TypeParam;
  const T negative[2] = {T(-0.0), T(-0.0)};
  const auto x = mct::renormalize<2>(negative);
  EXPECT_EQ(x.limb[0], 0);
  EXPECT_TRUE(std::signbit(x.limb[0]));
  const T mixed[2] = {T(-0.0), T(0)};
  EXPECT_FALSE(std::signbit(mct::renormalize<2>(mixed).limb[0]));
  // the plain sum of these is not 0
  const T rest = this->unit / 2;
  const T cancelling[4] = {T(1), rest, T(-1), -rest};
  const auto y = mct::renormalize<2>(cancelling);
  EXPECT_EQ(y.limb[0], 0);
  EXPECT_FALSE(std::signbit(y.limb[0]));
}

TYPED_TEST(Edges, OneComponentIsComparedAsItIs) {
  using X = Expansion<TypeParam, 1>;
  const X one(TypeParam(1));
  const X two(TypeParam(2));
  const X inf(this->infinity);
  const X nan(std::numeric_limits<TypeParam>::quiet_NaN());
  EXPECT_TRUE(one == one);
  EXPECT_FALSE(one == two);
  EXPECT_FALSE(one != one);
  EXPECT_TRUE(one != two);
  EXPECT_TRUE(one < two);
  EXPECT_FALSE(two < one);
  EXPECT_FALSE(one < one);
  EXPECT_TRUE(two > one);
  EXPECT_FALSE(one > one);
  EXPECT_TRUE(one <= one);
  EXPECT_FALSE(two <= one);
  EXPECT_TRUE(one >= one);
  EXPECT_FALSE(one >= two);
  // a difference would be NaN
  EXPECT_TRUE(inf == inf);
  EXPECT_FALSE(inf < inf);
  EXPECT_TRUE(inf <= inf);
  EXPECT_FALSE(nan == nan);
  EXPECT_FALSE(nan < one);
  EXPECT_FALSE(one < nan);
  EXPECT_EQ(one <=> two, std::partial_ordering::less);
  EXPECT_EQ(inf <=> inf, std::partial_ordering::equivalent);
  EXPECT_EQ(X(TypeParam(-0.0)), X(TypeParam(0)));
}

template <class T, int N>
void check_mul_add_specials() {
  using X = Expansion<T, N>;
  const T inf = std::numeric_limits<T>::infinity();
  const T most = std::numeric_limits<T>::max();
  const auto special = [](const X& x, T lead) {
    if (lead != lead) {
      EXPECT_TRUE(std::isnan(x.limb[0]));
    } else {
      EXPECT_EQ(x.limb[0], lead);
      EXPECT_EQ(std::signbit(x.limb[0]), std::signbit(lead));
    }
    for (int i = 1; i < N; ++i) EXPECT_EQ(x.limb[i], 0);
  };
  const X third = X(1) / 3;
  special(mul_add(X(inf), T(2), third), inf);
  special(mul_add(X(inf), T(-2), third), -inf);
  special(mul_add(third, inf, third), inf);
  special(mul_add(third, T(2), X(inf)), inf);
  special(mul_add(third, T(2), X(-inf)), -inf);
  special(mul_add(X(inf), T(1), X(-inf)), T(NAN));
  special(mul_add(X(0), inf, third), T(NAN));
  special(mul_add(X(most), T(2), third), inf);
  special(mul_add(third, T(NAN), third), T(NAN));
  special(mul_add(X(T(-0.0)), T(1), X(T(-0.0))), T(-0.0));
  special(mul_add(X(T(-0.0)), T(-1), X(T(-0.0))), T(0));
  special(mul_add(X(2), T(3), X(-6)), T(0));
}

TYPED_TEST(Edges, MulAddWithAPlainFactorOfSpecialValues) {
  check_mul_add_specials<TypeParam, 1>();
  check_mul_add_specials<TypeParam, 2>();
  check_mul_add_specials<TypeParam, 3>();
  check_mul_add_specials<TypeParam, 4>();
}

// The plain sum stays at the largest float, the exact one is half an ulp above it.
TYPED_TEST(Edges, ASumThatRoundsToInfinityIsOne) {
  using T = TypeParam;
  const T most = std::numeric_limits<T>::max();
  const T quarter = (most - std::nextafter(most, T(0))) / 4;
  const T terms[] = {most, quarter, quarter};
  EXPECT_EQ(mct::renormalize<1>(terms).limb[0], this->infinity);
  EXPECT_EQ(mct::renormalize<2>(terms).limb[0], this->infinity);
  EXPECT_EQ(mct::renormalize<2>(terms).limb[1], 0);
}

// The product is the second operand of the sum in mul_add, because two_sum may overflow internally
// where its second operand is the largest float: here most - 3/2 ulp, a tie, rounds up, and the
// difference to -3/2 ulp rounds to infinity.
template <class T, int N>
void check_mul_add_of_the_largest_float() {
  using X = Expansion<T, N>;
  const T most = std::numeric_limits<T>::max();
  const T ulp = most - std::nextafter(most, T(0));
  for (const T sign : {T(1), T(-1)}) {
    const X expected = X(sign * (most - ulp)) - sign * ulp / 2;
    EXPECT_EQ(mul_add(X(-sign * ulp), X(T(1.5)), X(sign * most)), expected) << N;
    EXPECT_EQ(mul_add(X(-sign * ulp), T(1.5), X(sign * most)), expected) << N;
    EXPECT_EQ(fma(X(-sign * ulp), X(T(1.5)), X(sign * most)), expected) << N;
  }
}

TYPED_TEST(Edges, MulAddOfTheLargestFloatKeepsEveryLimb) {
  check_mul_add_of_the_largest_float<TypeParam, 2>();
  check_mul_add_of_the_largest_float<TypeParam, 3>();
  check_mul_add_of_the_largest_float<TypeParam, 4>();
}

}  // namespace
