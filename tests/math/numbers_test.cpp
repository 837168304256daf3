// The constants, powers with whole exponents against MPFR, and numbers as operands of functions.
#include "mctensor/math/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/all.hpp"
#include "tests/expansion/mpfr_limbs.hpp"

namespace {

using mct::f64x2;
using mct::test::exact;
using mct::test::Real;

/// |x - value| in units of u^N |value|.
template <class X>
double error_of(const X& x, Real& value) {
  Real error = exact(x);
  mpfr_sub(error.get(), error.get(), value.get(), MPFR_RNDN);
  mpfr_div(error.get(), error.get(), value.get(), MPFR_RNDN);
  constexpr int bits = X::components * mct::FloatTraits<typename X::value_component>::p;
  mpfr_mul_2si(error.get(), error.get(), bits, MPFR_RNDN);
  return std::abs(mpfr_get_d(error.get(), MPFR_RNDN));
}

template <class X>
class Numbers : public ::testing::Test {};
using Types = ::testing::Types<mct::f64x1, mct::f64x2, mct::f64x3, mct::f64x4, mct::f32x1,
                               mct::f32x2, mct::f32x3, mct::f32x4, mct::f16x1, mct::f16x2,
                               mct::bf16x1, mct::bf16x2, mct::bf16x3>;
TYPED_TEST_SUITE(Numbers, Types);

TYPED_TEST(Numbers, AreRightToTheLastLimb) {
  using X = TypeParam;
  namespace n = mct::numbers;
  const auto check = [](const char* name, const X& x, const auto& set) {
    Real value;
    set(value.get());
    // the subnormals of half are as far apart as 2^-24
    const double slack = std::is_same_v<typename X::value_component, mct::half> ? 2 : 1;
    EXPECT_LE(error_of(x, value), slack) << name;
    EXPECT_TRUE(mct::is_normalized(x)) << name;
  };
  const auto root = [](mpfr_ptr r, unsigned long k) { mpfr_sqrt_ui(r, k, MPFR_RNDN); };
  const auto one_over = [](mpfr_ptr r) { mpfr_ui_div(r, 1, r, MPFR_RNDN); };
  check("pi", n::pi_v<X>, [](mpfr_ptr r) { mpfr_const_pi(r, MPFR_RNDN); });
  check("ln2", n::ln2_v<X>, [](mpfr_ptr r) { mpfr_const_log2(r, MPFR_RNDN); });
  check("egamma", n::egamma_v<X>, [](mpfr_ptr r) { mpfr_const_euler(r, MPFR_RNDN); });
  check("sqrt2", n::sqrt2_v<X>, [&](mpfr_ptr r) { root(r, 2); });
  check("sqrt3", n::sqrt3_v<X>, [&](mpfr_ptr r) { root(r, 3); });
  check("e", n::e_v<X>, [](mpfr_ptr r) {
    mpfr_set_ui(r, 1, MPFR_RNDN);
    mpfr_exp(r, r, MPFR_RNDN);
  });
  check("ln10", n::ln10_v<X>, [](mpfr_ptr r) { mpfr_log_ui(r, 10, MPFR_RNDN); });
  check("log2e", n::log2e_v<X>, [&](mpfr_ptr r) {
    mpfr_const_log2(r, MPFR_RNDN);
    one_over(r);
  });
  check("log10e", n::log10e_v<X>, [&](mpfr_ptr r) {
    mpfr_log_ui(r, 10, MPFR_RNDN);
    one_over(r);
  });
  check("inv_pi", n::inv_pi_v<X>, [&](mpfr_ptr r) {
    mpfr_const_pi(r, MPFR_RNDN);
    one_over(r);
  });
  check("inv_sqrtpi", n::inv_sqrtpi_v<X>, [](mpfr_ptr r) {
    mpfr_const_pi(r, MPFR_RNDN);
    mpfr_rec_sqrt(r, r, MPFR_RNDN);
  });
  check("inv_sqrt3", n::inv_sqrt3_v<X>, [&](mpfr_ptr r) {
    root(r, 3);
    one_over(r);
  });
  check("phi", n::phi_v<X>, [&](mpfr_ptr r) {
    root(r, 5);
    mpfr_add_ui(r, r, 1, MPFR_RNDN);
    mpfr_div_ui(r, r, 2, MPFR_RNDN);
  });
}

template <class X>
class WholePower : public ::testing::Test {};
using PowerTypes =
    ::testing::Types<mct::f64x2, mct::f64x3, mct::f64x4, mct::f32x2, mct::f32x3, mct::f32x4>;
TYPED_TEST_SUITE(WholePower, PowerTypes);

TYPED_TEST(WholePower, IsWithinTheBoundOfPow) {
  using X = TypeParam;
  using T = typename X::value_component;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0.25, 4);
  for (int i = 0; i < 4000; ++i) {
    X x(T(uniform(random)));
    for (int k = 1; k < X::components; ++k)
      x = x + X(x.limb[k - 1] * mct::FloatTraits<T>::u * T(uniform(random) / 4 - 0.5));
    if (i % 2 == 0) x = -x;
    const int n = int(random() % 141) - 70;
    Real value = exact(x);
    mpfr_pow_si(value.get(), value.get(), n, MPFR_RNDN);
    if (std::abs(mpfr_get_exp(value.get())) > mct::FloatTraits<T>::emax * 2 / 5) continue;
    ASSERT_LE(error_of(pow(x, n), value), 1.5) << double(x) << " to the " << n;
  }
}

TYPED_TEST(WholePower, IsExactWhereItFits) {
  using X = TypeParam;
  EXPECT_EQ(pow(X(3), 2), X(9));
  EXPECT_EQ(pow(X(-3), 3L), X(-27));
  EXPECT_EQ(pow(X(10), 6U), X(1000000));
  EXPECT_EQ(pow(X(2), -3), X(0.125));
  EXPECT_EQ(pow(X(7), 0), X(1));
  const X x = X(1) + X(std::numeric_limits<typename X::value_component>::epsilon()) / 2;
  EXPECT_EQ(pow(x, 1), x);
}

TYPED_TEST(WholePower, FarAndSpecialArgumentsAreThoseOfPow) {
  using X = TypeParam;
  const auto infinity = std::numeric_limits<typename X::value_component>::infinity();
  EXPECT_EQ(pow(X(10), 1000), X(infinity));
  EXPECT_EQ(pow(X(-10), 1001), X(-infinity));
  EXPECT_EQ(pow(X(0), -1), X(infinity));
  EXPECT_EQ(pow(X(0), 3), X(0));
  EXPECT_EQ(pow(X(-infinity), 3), X(-infinity));
  EXPECT_TRUE(isnan(pow(X(std::numeric_limits<X>::quiet_NaN()), 2)));
  EXPECT_EQ(pow(X(std::numeric_limits<X>::quiet_NaN()), 0), X(1));
  EXPECT_EQ(pow(X(1.5), 100), pow(X(1.5), X(100)));
  EXPECT_EQ(pow(X(1.5), -100), pow(X(1.5), X(-100)));
  // whose magnitude is no int
  EXPECT_EQ(pow(X(1.5), std::numeric_limits<int>::min()), X(0));
  EXPECT_EQ(pow(X(0.75), -(1LL << 32)), X(infinity));
  EXPECT_EQ(pow(X(0.75), 1ULL << 32), X(0));
}

TEST(WholePowerOfOneComponent, IsThatOfTheComponent) {
  EXPECT_EQ(pow(mct::f64x1(3), 2), 9);
  EXPECT_EQ(pow(mct::f64x1(-2), -3), -0.125);
  EXPECT_EQ(pow(mct::f32x1(7), 0), 1);
  EXPECT_EQ(pow(mct::f32x1(1.5), 4), 5.0625F);
}

TEST(MixedFunctions, TakeNumbersAndShorterExpansions) {
  const f64x2 x = f64x2(1) / 3;
  EXPECT_EQ(pow(x, 2.5), pow(x, f64x2(2.5)));
  EXPECT_EQ(pow(2.0, x), pow(f64x2(2), x));
  EXPECT_EQ(pow(2, x), pow(f64x2(2), x));
  EXPECT_EQ(atan2(x, 1.0), atan2(x, f64x2(1)));
  EXPECT_EQ(atan2(1, x), atan2(f64x2(1), x));
  EXPECT_EQ(hypot(x, 2), hypot(x, f64x2(2)));
  EXPECT_EQ(hypot(x, mct::f64x3(2)), hypot(mct::f64x3(x), mct::f64x3(2)));
}

// The second limb of this angle is subnormal. A quotient of scaled numbers would lose more of it
// than the bound allows, 1.5 u^2 |angle| + 4 eta.
TEST(SmallAngles, KeepTheBoundWhereLimbsAreSubnormal) {
  using X = mct::f32x2;
  const auto y = X::from_limbs(0x1.44e67p-45F, 0x1.834d5p-70F);
  const auto x = X::from_limbs(0x1.06ef34p+60F, -0x1.b37588p+35F);
  for (const float sign : {1.0F, -1.0F}) {
    const X angle = atan2(sign * y, x);
    Real value = exact(sign * y);
    mpfr_atan2(value.get(), value.get(), exact(x).get(), MPFR_RNDN);
    Real error = exact(angle);
    mpfr_sub(error.get(), error.get(), value.get(), MPFR_RNDN);
    const double bound =
        1.5 * 0x1p-48 * std::abs(mpfr_get_d(value.get(), MPFR_RNDN)) + 4 * 0x1p-149;
    EXPECT_LE(std::abs(mpfr_get_d(error.get(), MPFR_RNDN)), bound);
  }
}

}  // namespace
