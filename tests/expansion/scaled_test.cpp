// ScaledExpansion against MPFR on random, cancelling and tiny operands.
#include "mctensor/expansion/scaled.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "validation/core/real.hpp"

namespace {

using mct::validation::Real;

template <class X>
struct Shape;
template <class T, int N, int K>
struct Shape<mct::ScaledExpansion<T, N, K>> {
  using Component = T;
  static constexpr int n = N;
  static constexpr int k = K;
};

template <class X>
class Scaled : public ::testing::Test {
 protected:
  using T = typename Shape<X>::Component;
  using Traits = mct::FloatTraits<T>;
  static constexpr int N = Shape<X>::n;
  static constexpr int lowest = Traits::emin - (N - 1) * Shape<X>::k;  // eta_N = 2^lowest

  X random_value(int exponent) {
    std::uniform_real_distribution<double> mantissa(1, 2);
    const double sign = random() % 2 == 0 ? 1 : -1;
    // several doubles, so that three limbs of float are filled, too
    typename X::Exact x(std::ldexp(sign * mantissa(random), exponent));
    for (int i = 1; i < N; ++i)
      x += std::ldexp(mantissa(random), exponent - 53 * i - int(random() % 8));
    return X(x);
  }
  X random_value() {
    std::uniform_int_distribution<int> exponent(lowest - 2, Traits::emax - 1);
    return random_value(exponent(random));
  }

  /// |result - exact| <= (1 + 2^-20) u^N |exact| + eta_N / 2, or an overflow where it is due.
  void expect_close(const X& result, mpfr_srcptr exact) {
    const double lead(result.limb[0]);
    if (!std::isfinite(lead)) {
      EXPECT_GE(std::fabs(mpfr_get_d(exact, MPFR_RNDN)),
                double(Traits::max) * (1 + double(Traits::u) / 4));
      return;
    }
    Real value;
    value.set_exact(typename X::Exact(result));
    Real difference(256);
    mpfr_sub(difference.get(), value.get(), exact, MPFR_RNDA);
    Real allowed(64);
    mpfr_abs(allowed.get(), exact, MPFR_RNDN);
    mpfr_mul_d(allowed.get(), allowed.get(), 1 + 0x1p-20, MPFR_RNDN);
    mpfr_mul_2si(allowed.get(), allowed.get(), -N * Traits::p, MPFR_RNDN);
    Real eta(64);
    mpfr_set_ui_2exp(eta.get(), 1, lowest - 1, MPFR_RNDN);
    mpfr_add(allowed.get(), allowed.get(), eta.get(), MPFR_RNDU);
    EXPECT_LE(mpfr_cmpabs(difference.get(), allowed.get()), 0)
        << mpfr_get_d(exact, MPFR_RNDN) << ' ' << mpfr_get_d(difference.get(), MPFR_RNDN);
    // limb 0 is the rounded value; the next ones are at most half an ulp, scaled
    for (int i = 0; i + 1 < N; ++i) {
      EXPECT_LE(std::fabs(double(result.limb[i + 1])),
                std::ldexp(double(mct::ulp(result.limb[i])), Shape<X>::k - 1));
    }
  }

  void check_operations(const X& x, const X& y) {
    Real a;
    Real b;
    a.set_exact(typename X::Exact(x));
    b.set_exact(typename X::Exact(y));
    Real exact(1200);
    mpfr_add(exact.get(), a.get(), b.get(), MPFR_RNDN);
    expect_close(x + y, exact.get());
    mpfr_sub(exact.get(), a.get(), b.get(), MPFR_RNDN);
    expect_close(x - y, exact.get());
    EXPECT_EQ(x < y, mpfr_sgn(exact.get()) < 0);
    EXPECT_EQ(x == y, mpfr_sgn(exact.get()) == 0);
    mpfr_mul(exact.get(), a.get(), b.get(), MPFR_RNDN);
    expect_close(x * y, exact.get());
    if (mpfr_zero_p(b.get())) return;
    mpfr_div(exact.get(), a.get(), b.get(), MPFR_RNDN);
    expect_close(x / y, exact.get());
    if (mpfr_sgn(a.get()) < 0) return;
    mpfr_sqrt(exact.get(), a.get(), MPFR_RNDN);
    expect_close(sqrt(x), exact.get());
  }

  std::mt19937_64 random{4};
};
using Types =
    ::testing::Types<mct::ScaledExpansion<mct::half, 1>, mct::ScaledExpansion<mct::half, 2>,
                     mct::ScaledExpansion<mct::half, 3>, mct::ScaledExpansion<mct::half, 2, 8>,
                     mct::ScaledExpansion<mct::bfloat16, 2>, mct::ScaledExpansion<mct::bfloat16, 3>,
                     mct::ScaledExpansion<float, 2>, mct::ScaledExpansion<float, 3>>;
TYPED_TEST_SUITE(Scaled, Types);

TYPED_TEST(Scaled, OperationsOnAnyOperands) {
  for (int i = 0; i < 20000; ++i)
    this->check_operations(this->random_value(), this->random_value());
}

TYPED_TEST(Scaled, OperationsOnOperandsThatCancel) {
  using X = TypeParam;
  for (int i = 0; i < 20000; ++i) {
    const X x = this->random_value();
    X y = x;
    const auto k = this->random() % X::components;
    y.limb[k] = nextafter(y.limb[k], decltype(y.limb[k] + y.limb[k])(this->random() % 2 ? 1 : -1));
    this->check_operations(x, X(typename X::Exact(y)));
    this->check_operations(x, x);
  }
}

TYPED_TEST(Scaled, SpecialValues) {
  using X = TypeParam;
  using Limb = typename Shape<X>::Component;
  const Limb inf = std::numeric_limits<Limb>::infinity();
  const auto expect = [](const X& x, double lead) {
    EXPECT_TRUE(double(x.limb[0]) == lead || (std::isnan(lead) && std::isnan(double(x.limb[0]))));
    EXPECT_EQ(std::signbit(double(x.limb[0])) && !std::isnan(lead),
              std::signbit(lead) && !std::isnan(lead));
    for (int i = 1; i < X::components; ++i) EXPECT_EQ(double(x.limb[i]), 0);
  };
  const X big(std::numeric_limits<Limb>::max());
  expect(big + big, INFINITY);
  expect(-big - big, -INFINITY);
  expect(X(1) / X(0), INFINITY);
  expect(X(0) / X(0), NAN);
  expect(X(inf) - X(inf), NAN);
  expect(X(inf) + X(1), INFINITY);
  expect(X(-0.0) * X(5), -0.0);
  expect(X(3) / X(inf), 0.0);
  EXPECT_TRUE((X(NAN) <=> X(1)) == std::partial_ordering::unordered);
}

TEST(ScaledHalf, PairsKeep22BitsOfEveryNormalNumber) {
  using Pair = mct::ScaledExpansion<mct::half, 2>;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> mantissa(1, 2);
  double worst = 0;
  double worst_plain = 0;
  for (int e = -14; e < 16; ++e) {
    for (int i = 0; i < 10000; ++i) {
      const double d = std::ldexp(mantissa(random), e);
      if (d >= 65519) continue;
      worst = std::max(worst, std::fabs(double(Pair(d)) - d) / d);
      worst_plain = std::max(worst_plain, std::fabs(double(mct::f16x2(d)) - d) / d);
      EXPECT_EQ(double(Pair(double(Pair(d)))), double(Pair(d)));
    }
  }
  EXPECT_LE(worst, 0x1p-22);
  EXPECT_GT(worst_plain, 0x1p-12);  // what the scale is for
}

TEST(ScaledHalf, IsConstexpr) {
  using Pair = mct::ScaledExpansion<mct::half, 2>;
  constexpr Pair third = Pair(1) / Pair(3);
  static_assert(third.limb[1] != 0 && third < Pair(1));
  static_assert(sizeof(Pair) == 4 && std::is_trivially_copyable_v<Pair>);
}

}  // namespace
