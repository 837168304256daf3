// Boost.Math's root finders, quadrature and Lambert's W on expansions: g++ compiles them, clang
// takes not all of them.
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/quadrature/trapezoidal.hpp>
#include <boost/math/special_functions/lambert_w.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <random>
#include <tuple>

#include "mctensor/interop/boost_math.hpp"

namespace {

template <class X>
class BoostMath : public ::testing::Test {};
using Scalars = ::testing::Types<mct::f64x2, mct::f64x3, mct::f64x4>;
TYPED_TEST_SUITE(BoostMath, Scalars);

template <class X>
X units(double n) {
  return std::numeric_limits<X>::epsilon() * n;
}

TYPED_TEST(BoostMath, RootFinders) {
  using X = TypeParam;
  const auto f = [](const X& x) { return x * x - 2; };
  const boost::math::tools::eps_tolerance<X> tolerance(std::numeric_limits<X>::digits - 3);
  boost::uintmax_t iterations = 300;
  const auto bracket = boost::math::tools::toms748_solve(f, X(1), X(2), tolerance, iterations);
  EXPECT_LE(abs(bracket.first - sqrt(X(2))), units<X>(16));
  iterations = 500;
  const auto half = boost::math::tools::bisect(f, X(1), X(2), tolerance, iterations);
  EXPECT_LE(abs(half.first - sqrt(X(2))), units<X>(16));
  iterations = 50;
  const X newton = boost::math::tools::newton_raphson_iterate(
      [](const X& x) { return std::make_tuple(X(x * x - 2), X(2 * x)); }, X(1.5), X(1), X(2),
      std::numeric_limits<X>::digits - 2, iterations);
  EXPECT_LE(abs(newton - sqrt(X(2))), units<X>(4));
}

TYPED_TEST(BoostMath, Quadrature) {
  using X = TypeParam;
  using boost::math::quadrature::gauss_kronrod;
  // an integrand whose integral is known: e^x from 0 to 1
  const auto f = [](const X& x) { return exp(x); };
  const X exact = expm1(X(1));
  X error;
  const X kronrod = gauss_kronrod<X, 31>::integrate(f, X(0), X(1), 12, units<X>(8), &error);
  EXPECT_LE(abs(kronrod - exact), units<X>(1024)) << to_string(kronrod - exact);
  boost::math::quadrature::tanh_sinh<X> tanh_sinh(12, std::numeric_limits<X>::min());
  // singular at the left end: 1 / sqrt(x) from 0 to 1
  const X singular =
      tanh_sinh.integrate([](const X& x) { return 1 / sqrt(x); }, X(0), X(1), units<X>(64));
  EXPECT_LE(abs(singular - 2), units<X>(1 << 16)) << to_string(singular);
  // periodic: the trapezoidal rule converges exponentially; the integral is 2 pi / sqrt(3)
  const X two_pi = 8 * atan(X(1));
  const X periodic = boost::math::quadrature::trapezoidal(
      [](const X& x) { return 1 / (2 + cos(x)); }, X(0), two_pi, units<X>(16), 20);
  EXPECT_LE(abs(periodic - two_pi / sqrt(X(3))), units<X>(256));
}

template <class X>
class BoostNeighbours : public ::testing::Test {};
using All =
    ::testing::Types<mct::f64x2, mct::f64x3, mct::f64x4, mct::f32x2, mct::f32x3, mct::f32x4>;
TYPED_TEST_SUITE(BoostNeighbours, All);

TYPED_TEST(BoostNeighbours, AreThoseOfNextafter) {
  using X = TypeParam;
  using T = typename X::Scalar;
  const X up = std::numeric_limits<X>::infinity();
  EXPECT_EQ(boost::math::float_next(X(3)), 3 + 2 * std::numeric_limits<X>::epsilon());
  std::mt19937_64 engine(7);
  for (int k = 0; k < 2000; ++k) {
    // as many bits as numeric_limits promises, the least of them where no limb is subnormal
    X x;
    for (int i = 0; i < X::components; ++i)
      x += std::ldexp(T(engine() >> (64 - mct::FloatTraits<T>::p)), -i * mct::FloatTraits<T>::p);
    constexpr int top = std::numeric_limits<X>::max_exponent - mct::FloatTraits<T>::p - 1;
    constexpr int bottom = std::numeric_limits<X>::min_exponent;
    x = ldexp(k % 2 == 0 ? x : -x, int(engine() % unsigned(top - bottom)) + bottom);
    if (x == 0) continue;
    EXPECT_EQ(boost::math::float_next(x), nextafter(x, up)) << to_hex_string(x);
    EXPECT_EQ(boost::math::float_prior(x), nextafter(x, -up)) << to_hex_string(x);
  }
}

TEST(BoostLambert, KnownValues) {
  using X = mct::f64x2;
  const X of_7_3("0.925124652008248218827394648574689677795960282");
  const X below_of_1_5("-2.54264135777352642429380615666184829016147491");
  EXPECT_LE(abs(boost::math::lambert_w0(X(7) / 3) / of_7_3 - 1), units<X>(16));
  EXPECT_LE(abs(boost::math::lambert_wm1(X(-1) / 5) / below_of_1_5 - 1), units<X>(16));
}

}  // namespace
