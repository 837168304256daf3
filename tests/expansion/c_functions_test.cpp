// The rest of what C has for a number: integers next to it, remainders, neighbours, classes. What
// rounds is compared with MPFR on random numbers by the suite, too.
#include <gtest/gtest.h>

#include <cfenv>
#include <climits>
#include <cmath>
#include <limits>

#include "mctensor/expansion/arithmetic.hpp"
#include "mpfr_limbs.hpp"
#include "tests/expansion/special_values.hpp"

namespace mct::c_functions_test {

template <class X>
class CFunctions : public test::SpecialValues<X> {
 public:
  using Base = test::SpecialValues<X>;
  using typename Base::Limb;
  static std::vector<Limb> specials() {
    std::vector<Limb> list = {0, 0.25, 0.5, 1, 1.5, 2, 2.5, 3.5, 7, 0.75, Base::inf, Base::nan};
    for (std::size_t i = 0, n = list.size(); i < n; ++i) list.push_back(-list[i]);
    return list;
  }
};
using Types = ::testing::Types<f64x1, f64x2, f64x3, f32x2, f32x4>;
TYPED_TEST_SUITE(CFunctions, Types);

TYPED_TEST(CFunctions, SpecialValuesAreThoseOfC) {
  using X = TypeParam;
  using F = CFunctions<X>;
  using T = typename F::Limb;
  for (const T a : F::specials()) {
    F::expect_alone(rint(X(a)), std::rint(a));
    F::expect_alone(nearbyint(X(a)), std::nearbyint(a));
    F::expect_alone(logb(X(a)), std::logb(a));
    EXPECT_EQ(fpclassify(X(a)), std::fpclassify(a));
    EXPECT_EQ(isnormal(X(a)), std::isnormal(a));
    X whole;
    T whole_part;
    const T fraction = std::modf(a, &whole_part);
    F::expect_alone(modf(X(a), &whole), fraction);
    F::expect_alone(whole, whole_part);
    if (a != 0) {
      EXPECT_EQ(ilogb(X(a)), std::ilogb(a));
    }
    if (std::isfinite(a)) {
      EXPECT_EQ(lround(X(a)), std::lround(a));
      EXPECT_EQ(llround(X(a)), std::llround(a));
      EXPECT_EQ(lrint(X(a)), std::lrint(a));
      EXPECT_EQ(llrint(X(a)), std::llrint(a));
    }
    for (const T b : F::specials()) {
      F::expect_alone(fmod(X(a), X(b)), std::fmod(a, b));
      F::expect_alone(remainder(X(a), X(b)), std::remainder(a, b));
      int mine = 1;
      int theirs = 1;
      F::expect_alone(remquo(X(a), X(b), &mine), std::remquo(a, b, &theirs));
      if (std::isfinite(a) && std::isfinite(b) && b != 0) {
        EXPECT_EQ(mine % 8, theirs % 8);
      }
      if (a != b) {  // C leaves the sign of zero open
        F::expect_alone(fmin(X(a), X(b)), std::fmin(a, b));
        F::expect_alone(fmax(X(a), X(b)), std::fmax(a, b));
      }
      F::expect_alone(fdim(X(a), X(b)), std::fdim(a, b));
    }
  }
  EXPECT_EQ(ilogb(X(0)), FP_ILOGB0);
}

TYPED_TEST(CFunctions, SecondLimbsDecide) {
  using X = TypeParam;
  using T = typename CFunctions<X>::Limb;
  if constexpr (X::components > 1) {
    const T small = std::ldexp(T(1), -40);
    X x(T(2.5));
    x.limb[1] = small;
    EXPECT_EQ(rint(x), 3);
    EXPECT_EQ(rint(-x), -3);
    x.limb[1] = -small;
    EXPECT_EQ(rint(x), 2);
    x = X(T(1) * (1 << 20));
    x.limb[1] = T(-0.5) - (sizeof(T) == 8 ? 0 : std::ldexp(T(1), -10));
    EXPECT_EQ(rint(x), sizeof(T) == 8 ? (1 << 20) : (1 << 20) - 1);  // an even one of two
    x = 1;
    x.limb[1] = -small;
    EXPECT_EQ(ilogb(x), -1);
    EXPECT_EQ(logb(x), -1);
    x.limb[1] = small;
    EXPECT_EQ(ilogb(x), 0);
    X whole;
    x = 3;
    x.limb[1] = -small;
    const X fraction = modf(x, &whole);
    EXPECT_EQ(whole, 2);
    EXPECT_EQ(fraction, 1 - X(small));
  }
}

TYPED_TEST(CFunctions, RemaindersOfHugeQuotientsAreExact) {
  using X = TypeParam;
  test::Random random(5);
  for (int i = 0; i < 300; ++i) {
    const X x = test::random_expansion<X>(random);
    const X y = test::random_expansion<X>(random);
    if (y.limb[0] == 0) continue;
    test::Real a = test::exact(x);
    test::Real b = test::exact(y);
    test::Real r(8192);
    long quotient = 0;
    mpfr_remquo(r.get(), &quotient, a.get(), b.get(), MPFR_RNDN);
    int mine = 0;
    const X result = remquo(x, y, &mine);
    EXPECT_EQ(result, test::nearest_limbs<X>(r)) << x.limb[0] << ' ' << y.limb[0];
    EXPECT_EQ(mine % 8, quotient % 8);
    EXPECT_EQ(remainder(x, y), result);
    X whole;
    test::Real parts = test::exact(modf(x, &whole));
    EXPECT_EQ(whole, trunc(x));
    mpfr_add(parts.get(), parts.get(), test::exact(whole).get(), MPFR_RNDN);
    EXPECT_EQ(mpfr_cmp(parts.get(), a.get()), 0);
  }
}

TYPED_TEST(CFunctions, NeighboursAreAUnitOfAllBitsAway) {
  using X = TypeParam;
  using F = CFunctions<X>;
  using T = typename F::Limb;
  using L = std::numeric_limits<X>;
  EXPECT_EQ(nextafter(X(1), X(2)), 1 + L::epsilon());
  EXPECT_EQ(nextafter(X(1), X(0)), 1 - L::epsilon() / 2);
  EXPECT_EQ(nextafter(X(-1), X(0)), L::epsilon() / 2 - 1);
  EXPECT_EQ(nextafter(X(-1), X(-2)), -1 - L::epsilon());
  EXPECT_EQ(nextafter(nextafter(X(3), X(4)), X(0)), 3);
  EXPECT_EQ(nextafter(X(0), X(1)), L::denorm_min());
  EXPECT_EQ(nextafter(X(0), X(-1)), -L::denorm_min());
  EXPECT_EQ(nextafter(L::denorm_min(), X(0)), 0);
  EXPECT_EQ(nextafter(L::max(), X(F::inf)), F::inf);
  EXPECT_EQ(nextafter(X(F::inf), X(0)), L::max());
  EXPECT_EQ(nextafter(X(-F::inf), X(0)), L::lowest());
  EXPECT_TRUE(isnan(nextafter(X(F::nan), X(0))) && isnan(nextafter(X(0), X(F::nan))));
  F::expect_alone(nextafter(X(0), X(-T(0))), -T(0));
  EXPECT_EQ(nextafter(X(3), 3), 3);
  if constexpr (X::components > 1) {
    X between(1);
    between.limb[1] = sizeof(T) == 8 ? T(0x1p-300) : T(0x1p-140F);
    EXPECT_EQ(nextafter(X(1), between), between);  // never beyond
  }
}

TYPED_TEST(CFunctions, ClassesAreThoseOfTheLimits) {
  using X = TypeParam;
  using L = std::numeric_limits<X>;
  EXPECT_EQ(fpclassify(L::min()), FP_NORMAL);
  EXPECT_EQ(fpclassify(-L::max()), FP_NORMAL);
  EXPECT_EQ(fpclassify(-nextafter(L::min(), X(0))), FP_SUBNORMAL);
  EXPECT_FALSE(isnormal(L::denorm_min()));
}

TYPED_TEST(CFunctions, PowersOfTwo) {
  using X = TypeParam;
  const X x = X(1) / 3;
  EXPECT_EQ(scalbn(x, 5), 32 * x);
  EXPECT_EQ(scalbln(x, -5L), x / 32);
  EXPECT_TRUE(isinf(scalbln(x, LONG_MAX)));
  EXPECT_EQ(scalbln(x, LONG_MIN), 0);
}

TYPED_TEST(CFunctions, StepsByOne) {
  using X = TypeParam;
  X x = X(1) / 4;
  EXPECT_EQ(x++, X(1) / 4);
  EXPECT_EQ(x, X(5) / 4);
  EXPECT_EQ(++x, X(9) / 4);
  EXPECT_EQ(x--, X(9) / 4);
  EXPECT_EQ(--x, X(1) / 4);
}

TYPED_TEST(CFunctions, LerpKeepsItsEnds) {
  using X = TypeParam;
  using F = CFunctions<X>;
  test::Random random(6);
  for (int i = 0; i < 200; ++i) {
    const X a = test::random_expansion<X>(random);
    const X b = test::random_expansion<X>(random);
    EXPECT_EQ(lerp(a, b, X(0)), a);
    EXPECT_EQ(lerp(a, b, X(1)), b);
    EXPECT_EQ(lerp(a, a, X(1) / 3), a);
  }
  EXPECT_EQ(lerp(X(1), 3, 0.5F), 2);
  EXPECT_EQ(lerp(X(-1), X(1), 0.5F), 0);
  for (const X& end : {X(1), X(-1)}) EXPECT_TRUE(signbit(lerp(X(-0.0F), end, X(0))));
  EXPECT_EQ(lerp(X(1), X(3), X(-1)), -1);
  const X most(std::numeric_limits<typename F::Limb>::max());
  EXPECT_EQ(lerp(-most, most, 0.5F), 0);  // their difference would overflow
  EXPECT_TRUE(isnan(lerp(X(1), X(2), X(F::nan))));
}

TEST(CFunctionsMixed, TakeNumbers) {
  const f64x2 x = f64x2(1) / 3;
  EXPECT_EQ(fmin(x, 1), x);
  EXPECT_EQ(fmax(1.0, x), 1);
  EXPECT_EQ(fdim(1, x), 1 - x);
  EXPECT_EQ(remainder(f64x2(7), 4), -1);
  EXPECT_EQ(nextafter(x, 1), nextafter(x, f64x2(1)));
}

}  // namespace mct::c_functions_test
