// The published algorithms: what is exact, what the errata correct, and the headline comparison.
#include "mctensor/expansion/published_algorithms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mctensor/expansion/arithmetic.hpp"

namespace {

namespace published = mct::published;
using mct::f64x4;

template <int N>
using C = published::Components<double, N>;

/// A random number of N contiguous components between 1 and 2.
template <int N>
C<N> random_components(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  double terms[N];
  double scale = 0x1p-54;
  terms[0] = 1.5 + uniform(random) / 2;
  for (int i = 1; i < N; ++i, scale *= 0x1p-54) terms[i] = scale * uniform(random);
  return published::components(mct::renormalize<N>(terms));
}

template <int N>
f64x4 value(const C<N>& c) {
  f64x4 sum = 0;
  for (int i = N - 1; i >= 0; --i) sum += c[i];
  return sum;
}

double relative_error(const f64x4& computed, const f64x4& exact) {
  return std::fabs(((computed - exact) / exact).limb[0]);
}

TEST(Seed, RenormalizeStoresTheLastSum) {
  const auto r = published::renormalize<2>(C<3>{{1, 0, 0}});
  EXPECT_EQ(r[0], 1);
  EXPECT_EQ(r[1], 0);
  const auto carried = published::renormalize<2>(C<3>{{1, 0x1p-53, 0x1p-54}});
  EXPECT_EQ(value(carried), f64x4(1) + 0x1p-53 + 0x1p-54);
}

TEST(Seed, SimpleRenormReadsEveryInput) {
  const auto r = published::simple_renorm<2>(C<4>{{0, 1, 0, 0x1p-60}});
  EXPECT_EQ(r[0], 1);
  EXPECT_EQ(r[1], 0x1p-60);
}

TEST(Seed, GrowingIsExact) {
  const auto grown = published::grow_expansion(C<2>{{0x1p-60, 1}}, 0x1p-120);
  EXPECT_EQ(grown[0], 0x1p-120);
  EXPECT_EQ(grown[1], 0x1p-60);
  EXPECT_EQ(grown[2], 1);
  const auto sum = published::grow_exp_n(C<3>{{1, 0x1p-60, 0}}, -0x1p-120);
  EXPECT_EQ(value(sum), f64x4(1) + 0x1p-60 - 0x1p-120);
  const auto pair = published::grow(C<2>{{1, 0x1p-60}}, 0x1p-70);
  EXPECT_EQ(value(pair), f64x4(1) + 0x1p-60 + 0x1p-70);
}

TEST(Seed, PublishedSplitMakesProductsInexact) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(1, 2);
  int published = 0;
  int corrected = 0;
  constexpr int trials = 100'000;
  for (int i = 0; i < trials; ++i) {
    const double a = uniform(random);
    const double b = uniform(random);
    const double exact = published::two_prod_fma(a, b).lo;
    if (published::two_prod<published::AsPrinted>(a, b).lo != exact) ++published;
    if (published::two_prod<published::Corrected>(a, b).lo != exact) ++corrected;
  }
  EXPECT_EQ(corrected, 0);
  EXPECT_NEAR(double(published) / trials, 0.155, 0.01);
}

TEST(Seed, MulExpansionKeepsEveryTerm) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const auto a = random_components<3>(random);
    const auto b = random_components<3>(random);
    const auto product = published::mul_expansion(a, b);
    f64x4 sum = 0;
    for (int k = 5; k >= 0; --k) sum += product[k];
    EXPECT_LT(relative_error(sum, value(a) * value(b)), 0x1p-155);
  }
}

/// Worst relative error of a division or multiplication over random operands.
template <int N, class Policy>
void worst_errors(double& division, double& product) {
  std::mt19937_64 random(3);
  division = product = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto x = random_components<N>(random);
    const auto y = random_components<N>(random);
    division = std::fmax(
        division, relative_error(value(published::div_mcn<Policy>(x, y)), value(x) / value(y)));
    product = std::fmax(
        product, relative_error(value(published::mult_mcn<Policy>(x, y)), value(x) * value(y)));
  }
}

TEST(Seed, PublishedDivisionHasOneComponentsAccuracy) {
  double division = 0;
  double product = 0;
  worst_errors<2, published::AsPrinted>(division, product);
  EXPECT_GT(division, 0x1p-56);
  EXPECT_GT(product, 0x1p-56);
  worst_errors<3, published::AsPrinted>(division, product);
  EXPECT_GT(division, 0x1p-56);
  EXPECT_GT(product, 0x1p-56);
}

TEST(Seed, CorrectedDivisionHasAllComponents) {
  double division = 0;
  double product = 0;
  worst_errors<2, published::Corrected>(division, product);
  EXPECT_LT(division, 0x1p-104);
  EXPECT_LT(product, 0x1p-103);
  worst_errors<3, published::Corrected>(division, product);
  EXPECT_LT(division, 0x1p-156);
  EXPECT_LT(product, 0x1p-155);
}

TEST(Seed, ShortFormsAgreeWithTheExpansion) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 1000; ++i) {
    const auto a = random_components<2>(random);
    const auto b = random_components<2>(random);
    EXPECT_LT(relative_error(value(published::mul(a, b)), value(a) * value(b)), 0x1p-102);
    EXPECT_LT(relative_error(value(published::scaling(b[0], a)), value(a) * b[0]), 0x1p-103);
    EXPECT_LT(relative_error(value(published::square_mcn(a)), value(a) * value(a)), 0x1p-103);
    EXPECT_LT(relative_error(value(published::div_n(1.0, a)), 1 / value(a)), 0x1p-104);
  }
}

TEST(Seed, ExpHasOneComponentsAccuracyOnly) {
  const auto e = published::exp_mcn(C<2>{{1, 0}});
  const f64x4 exact = f64x4(0x1.5bf0a8b145769p+1) + 0x1.4d57ee2b1013ap-53;  // e
  EXPECT_LT(relative_error(value(e), exact), 0x1p-51);
  EXPECT_GT(relative_error(value(e), exact), 0x1p-60);
}

TEST(Seed, DividingByZeroIsNotANumber) {
  EXPECT_TRUE(std::isnan(published::mult_mcn(C<2>{{1, 0}}, C<2>{{0, 0}})[0]));
}

}  // namespace
