// Elementary functions of numbers that carry their error hold what MPFR says of every number within
// the radius, say so where there is none, and are not much wider than they must be.
#include "tests/certified/enclosures.hpp"

namespace mct::certified_test {
namespace {

template <class X>
class CertifiedFunctionsTest : public ::testing::Test {};
using FunctionTypes = ::testing::Types<Certified<double, 1>, Certified<double, 2>,
                                       Certified<double, 3>, Certified<float, 2>>;
TYPED_TEST_SUITE(CertifiedFunctionsTest, FunctionTypes);

/// Calls see(name, function, oracle, log2 of the least and largest argument, whether the radius is
/// compared with the least possible one).
template <class X, class See>
void for_each_function(const See& see) {
#define MCT_SEE(name, low, high, is_steep) \
  see(                                     \
      #name, [](const X& x) { return name(x); }, Oracle(mpfr_##name), low, high, is_steep);
  MCT_FOR_EACH_ORACLE(MCT_SEE, typename X::Scalar)
  MCT_SEE(log10, -60, 60, true)
#undef MCT_SEE
}

#ifdef MCT_EXHAUSTIVE
constexpr int arguments = 400;
#else
constexpr int arguments = 150;
#endif

TYPED_TEST(CertifiedFunctionsTest, HoldTheTruth) {
  using T = typename TypeParam::Scalar;
  constexpr int N = TypeParam::components;
  std::uint64_t seed = 0;
  for_each_function<TypeParam>(
      [&](const char* name, const auto& f, Oracle oracle, double low, double high, bool) {
        int known = 0;
        Draw<T, N> draw(++seed, low, high);
        for (int i = 0; i < arguments; ++i) {
          const TypeParam x = draw();
          const TypeParam result = f(x);
          known += std::isfinite(result.radius()) ? 1 : 0;
          for (const double p : {-1.0, -0.5, 0.0, 0.75, 1.0})
            EXPECT_TRUE(holds(result, of(oracle, at(x, p))))
                << name << ' ' << double(Truth(x.value())) << " +- " << x.radius() << " at " << p;
        }
        EXPECT_GT(known, arguments / 5) << name;
      });
}

TYPED_TEST(CertifiedFunctionsTest, RadiiAreTight) {
  using T = typename TypeParam::Scalar;
  constexpr int N = TypeParam::components;
  const Truth unit(std::pow(double(FloatTraits<T>::u), N));
  std::uint64_t seed = 40;
  for_each_function<TypeParam>(
      [&](const char* name, const auto& f, Oracle oracle, double low, double high, bool is_steep) {
        if (!is_steep) return;
        Draw<T, N> draw(++seed, std::max(low, -20.0), std::min(high, 20.0));
        int seen = 0;
        for (int i = 0; i < arguments; ++i) {
          const Expansion<T, N> value = draw.value();
          const T r = std::fabs(value.limb[0]) * T(std::exp2(draw.uniform(-20.0 * N, -20)));
          const TypeParam x(value, r);
          const TypeParam result = f(x);
          if (!(result.radius() < FloatTraits<T>::max) || result.value().limb[0] == 0) continue;
          const Truth here = of(oracle, at(x, 0));
          const Truth above = abs(of(oracle, at(x, 1)) - here),
                      below = abs(of(oracle, at(x, -1)) - here);
          const Truth carried = above < below ? below : above;
          const Truth least = carried + Truth(function_bound) * unit * abs(here) +
                              Truth(64 * double(FloatTraits<T>::eta));
          EXPECT_LE(double(Truth(double(result.radius())) / least), 4.0)
              << name << ' ' << double(Truth(value)) << " +- " << r;
          ++seen;
        }
        EXPECT_GT(seen, arguments / 8) << name;
      });
}

/// Where the radius is small beside the number, a result's is next to the least possible one.
TYPED_TEST(CertifiedFunctionsTest, SmallRadiiGrowByTheDerivative) {
  using T = typename TypeParam::Scalar;
  using E = typename TypeParam::Value;
  const auto about = [](double x) { return TypeParam(E(T(x)), T(x * 0x1p-10)); };
  for (const double x : {0.25, 0.5, 0.75}) {
    for_each_function<TypeParam>([&](const char* name, const auto& f, Oracle oracle, auto...) {
      const TypeParam number = about(oracle == Oracle(mpfr_acosh) ? 1 + x : x);
      const Truth here = of(oracle, at(number, 0));
      const double above = double(abs(of(oracle, at(number, 1)) - here)),
                   below = double(abs(of(oracle, at(number, -1)) - here));
      // tanh has 4 e^(-2a) in the place of its derivative
      const double most = oracle == Oracle(mpfr_tanh) ? 1.6 : 1.05;
      EXPECT_LE(double(f(number).radius()), most * std::max(above, below)) << name << ' ' << x;
    });
    for (const double base : {x, 1 + x}) {
      const TypeParam a = about(base), b = about(0.75);
      double largest = 0;
      for (const double p : {-1.0, 1.0})
        for (const double q : {-1.0, 1.0}) {
          Truth here, there;
          mpfr_pow(here.get(), at(a, 0).get(), at(b, 0).get(), MPFR_RNDN);
          mpfr_pow(there.get(), at(a, p).get(), at(b, q).get(), MPFR_RNDN);
          largest = std::max(largest, double(abs(there - here)));
        }
      EXPECT_LE(double(pow(a, b).radius()), 1.05 * largest) << base;
    }
  }
}

/// The slope of atan is 1 / (1 + x^2), and the 1 counts where x is 1 to 10.
TYPED_TEST(CertifiedFunctionsTest, ArcTangentsOfAnySizeGrowByTheDerivative) {
  using T = typename TypeParam::Scalar;
  using E = typename TypeParam::Value;
  for (const double x : {1.0, 1.01, 1.5, 3.0, 1e3, 1e14, 1e16, 1e18}) {
    const auto number = TypeParam(E(T(x)), T(x * 0x1p-10));
    const Truth here = of(mpfr_atan, at(number, 0));
    const double least = double(abs(of(mpfr_atan, at(number, -1)) - here));
    const double own = function_bound * std::pow(double(FloatTraits<T>::u), TypeParam::components);
    EXPECT_LE(double(atan(number).radius()), 1.01 * least + 1.6 * own) << x;
  }
}

/// Two sines, or cosines, are no farther apart than their arguments.
TYPED_TEST(CertifiedFunctionsTest, WavesGrowNoMoreThanTheirArguments) {
  using T = typename TypeParam::Scalar;
  using E = typename TypeParam::Value;
  for (const double x : {0.0, 0.25, 0.75, 1.0, 1.5, 3.0})
    for (const double r : {0.125, 0.5, 0.75, 0.95}) {
      const auto number = TypeParam(E(T(x)), T(r));
      EXPECT_LE(double(sin(number).radius()), 1.0001 * r) << x << ' ' << r;
      EXPECT_LE(double(cos(number).radius()), 1.0001 * r) << x << ' ' << r;
    }
}

/// Values of bounded functions are nearly as far apart as they can be.
TYPED_TEST(CertifiedFunctionsTest, WideEnclosuresHoldBothEnds) {
  using T = typename TypeParam::Scalar;
  using E = typename TypeParam::Value;
  for (const double x : {0.0, 1.5, -4.0, 4.0})
    for (const double r : {3.0, 3.125, 10.0}) {
      const auto number = TypeParam(E(T(x)), T(r));
      for (const double p : {-1.0, 1.0}) {
        const Truth end = at(number, p);
        EXPECT_TRUE(holds(sin(number), of(mpfr_sin, end))) << x << ' ' << r;
        EXPECT_TRUE(holds(cos(number), of(mpfr_cos, end))) << x << ' ' << r;
        EXPECT_TRUE(holds(tanh(number), of(mpfr_tanh, end))) << x << ' ' << r;
        EXPECT_TRUE(holds(erf(number), of(mpfr_erf, end))) << x << ' ' << r;
        EXPECT_TRUE(holds(atan(number), of(mpfr_atan, end))) << x << ' ' << r;
      }
    }
}

TYPED_TEST(CertifiedFunctionsTest, OfTwoNumbers) {
  using T = typename TypeParam::Scalar;
  constexpr int N = TypeParam::components;
  Draw<T, N> draw(90, -12, 6), far(91, -1.2 * FloatTraits<T>::emax, FloatTraits<T>::emax - 1.0);
  int known = 0;
  for (int i = 0; i < arguments; ++i) {
    const TypeParam x = draw(), y = draw(), a = far(), b = far();
    const TypeParam power = pow(abs(x), y), length = hypot(a, b);
    known += std::isfinite(power.radius()) ? 1 : 0;
    for (const double p : {-1.0, 0.0, 0.5, 1.0})
      for (const double q : {-1.0, 0.0, 1.0}) {
        Truth truth;
        mpfr_pow(truth.get(), at(abs(x), p).get(), at(y, q).get(), MPFR_RNDN);
        EXPECT_TRUE(holds(power, truth)) << double(at(abs(x), p)) << " ^ " << double(at(y, q));
        mpfr_hypot(truth.get(), at(a, p).get(), at(b, q).get(), MPFR_RNDN);
        EXPECT_TRUE(holds(length, truth)) << double(at(a, p)) << ' ' << double(at(b, q));
      }
  }
  EXPECT_GT(known, arguments / 5);
}

/// The value underflows, and the radius is what it would be without.
TYPED_TEST(CertifiedFunctionsTest, OfArgumentsWhoseValuesUnderflow) {
  using T = typename TypeParam::Scalar;
  using E = typename TypeParam::Value;
  const double end = double(FloatTraits<T>::emin) * 0.6931471805599453;
  for (const double below : {0.5, 1.0, 1.5, 40.0})
    for (const double left : {0.5, 20.0, 60.0}) {
      const TypeParam x(E(T(end - below)), T(-(end - below) - left));
      const TypeParam double_x = x + x;
      for (const double p : {-1.0, 0.9, 1.0}) {
        EXPECT_TRUE(holds(exp(x), of(mpfr_exp, at(x, p)))) << below << ' ' << left;
        EXPECT_TRUE(holds(expm1(x), of(mpfr_expm1, at(x, p)))) << below << ' ' << left;
        EXPECT_TRUE(holds(exp2(double_x), of(mpfr_exp2, at(double_x, p)))) << below << ' ' << left;
        EXPECT_TRUE(holds(tanh(x), of(mpfr_tanh, at(x, p)))) << below << ' ' << left;
      }
    }
}

TYPED_TEST(CertifiedFunctionsTest, ExactArgumentsAtTheEnds) {
  using T = typename TypeParam::Scalar;
  using E = typename TypeParam::Value;
  const auto number = [](double x) { return TypeParam(E(T(x))); };
  const T tiny = T(64) * FloatTraits<T>::u;
  EXPECT_LE(acosh(number(1)).radius(), tiny);
  EXPECT_LE(asin(number(1)).radius(), tiny);
  EXPECT_LE(acos(number(-1)).radius(), tiny);
  EXPECT_LE(log1p(number(0)).radius(), tiny);
  EXPECT_LE(sqrt(number(0)).radius(), tiny);
  EXPECT_LE(cbrt(number(0)).radius(), tiny);
  EXPECT_LE(pow(number(-2), number(3)).radius(), tiny);
  EXPECT_EQ(atanh(number(1)).radius(), FloatTraits<T>::infinity);
  EXPECT_EQ(log(number(0)).radius(), FloatTraits<T>::infinity);
  EXPECT_EQ(acosh(TypeParam(E(T(1)), T(0.5))).radius(), FloatTraits<T>::infinity);
  EXPECT_EQ(asin(TypeParam(E(T(1)), T(0.5))).radius(), FloatTraits<T>::infinity);
  EXPECT_EQ(tan(TypeParam(E(T(1.5)), T(0.1))).radius(), FloatTraits<T>::infinity);
  // however large the radius is, values are at most 2 or pi apart
  const TypeParam wide(E(T(1)), T(1e30));
  EXPECT_LE(sin(wide).radius(), T(2.1));
  EXPECT_LE(tanh(wide).radius(), T(2.1));
  EXPECT_LE(erf(wide).radius(), T(2.1));
  EXPECT_LE(atan(wide).radius(), T(3.2));
}

}  // namespace
}  // namespace mct::certified_test
