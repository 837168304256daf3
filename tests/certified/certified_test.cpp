// Sums, products, quotients and roots of numbers that carry their error hold the true result, and
// their radii are not much larger than they must be.
#include <array>
#include <cstring>

#include "tests/certified/enclosures.hpp"

#if MCT_WITH_XSIMD
#include "mctensor/interop/xsimd.hpp"
#endif

namespace mct::certified_test {
namespace {

template <class X>
class CertifiedTest : public ::testing::Test {};
using Types = ::testing::Types<Certified<double, 1>, Certified<double, 2>, Certified<double, 3>,
                               Certified<double, 4>, Certified<float, 1>, Certified<float, 2>,
                               Certified<float, 3>, Certified<float, 4>>;
TYPED_TEST_SUITE(CertifiedTest, Types);

constexpr double parts[] = {-1, -0.625, 0, 0.3125, 1};

/// How often the enclosure of an operation is looked at: at fifteen of its numbers each time.
#ifdef MCT_EXHAUSTIVE
constexpr int cases = 3000;
#else
constexpr int cases = 1000;
#endif

TYPED_TEST(CertifiedTest, ArithmeticHoldsTheTruth) {
  using T = typename TypeParam::Scalar;
  constexpr int N = TypeParam::components;
  constexpr double top = FloatTraits<T>::emax;
  int known = 0;
  // sizes about 1, and all that there are
  for (const double range : {6.0, top}) {
    Draw<T, N> draw(std::uint64_t(N) + std::uint64_t(range), range == top ? -1.2 * range : -range,
                    range == top ? range - 0.01 : range);
    for (int i = 0; i < cases; ++i) {
      const TypeParam x = draw(), y = draw();
      const TypeParam sum = x + y, difference = x - y, product = x * y, quotient = x / y,
                      mixed = fma(x, y, x);
      for (const double p : parts)
        for (const double q : {-1.0, 0.25, 1.0}) {
          const Truth a = at(x, p), b = at(y, q);
          EXPECT_TRUE(holds(sum, a + b)) << double(a) << " + " << double(b);
          EXPECT_TRUE(holds(difference, a - b)) << double(a) << " - " << double(b);
          EXPECT_TRUE(holds(product, a * b)) << double(a) << " * " << double(b);
          EXPECT_TRUE(holds(quotient, a / b)) << double(a) << " / " << double(b);
          EXPECT_TRUE(holds(mixed, a * b + a)) << double(a) << ' ' << double(b);
        }
      known += std::isfinite(quotient.radius()) ? 1 : 0;
    }
  }
  EXPECT_GT(known, cases);  // not all of them say that nothing is known
}

TYPED_TEST(CertifiedTest, RootsHoldTheTruth) {
  using T = typename TypeParam::Scalar;
  constexpr int N = TypeParam::components;
  Draw<T, N> draw(5, -1.2 * FloatTraits<T>::emax, FloatTraits<T>::emax - 0.01);
  int known = 0;
  for (int i = 0; i < cases; ++i) {
    const TypeParam x = draw();
    const TypeParam root = sqrt(x);
    known += std::isfinite(root.radius()) ? 1 : 0;
    for (const double p : parts) EXPECT_TRUE(holds(root, sqrt(at(x, p)))) << double(at(x, p));
    for (const double p : parts) EXPECT_TRUE(holds(abs(x), abs(at(x, p))));
    for (const double p : parts) EXPECT_TRUE(holds(-x, -at(x, p)));
  }
  EXPECT_GT(known, cases / 4);
}

/// A radius is at most twice what the operands and the stated bound make necessary.
TYPED_TEST(CertifiedTest, RadiiAreTight) {
  using T = typename TypeParam::Scalar;
  constexpr int N = TypeParam::components;
  const double u = double(FloatTraits<T>::u);
  Draw<T, N> draw(6, -3, 3);
  for (int i = 0; i < cases; ++i) {
    const Expansion<T, N> a = draw.value(), b = draw.value();
    if (a.limb[0] == 0 || b.limb[0] == 0) continue;
    const T r = std::fabs(a.limb[0]) * T(std::exp2(draw.uniform(-24.0 * N, -12)));
    const TypeParam x(a, r), y(b);
    const auto unit = Truth(std::pow(u, N));
    const auto expect = [&](const char* what, const TypeParam& result, const Truth& carried,
                            double bound) {
      const Truth least = abs(carried) + Truth(bound) * unit * abs(Truth(result.value()));
      EXPECT_LE(double(Truth(double(result.radius())) / least), 2.0) << what << ' ' << i;
    };
    const Truth radius{double(r)};
    expect("+", x + y, radius, error_bounds<N>.add);
    expect("*", x * y, radius * Truth(b), error_bounds<N>.mul);
    expect("/", x / y, radius / Truth(b), error_bounds<N>.div);
    expect("sqrt", sqrt(abs(x)), radius / sqrt(abs(Truth(a))) / Truth(2), error_bounds<N>.sqrt);
  }
}

TYPED_TEST(CertifiedTest, SaysWhereNothingIsKnown) {
  using T = typename TypeParam::Scalar;
  using E = typename TypeParam::Value;
  constexpr T inf = FloatTraits<T>::infinity;
  constexpr T nan = FloatTraits<T>::nan;
  const auto number = [](double x) { return E(T(x)); };
  const TypeParam one(number(1)), wide(number(1), T(1)), zero;
  EXPECT_EQ((one / zero).radius(), inf);
  EXPECT_EQ((one / wide).radius(), inf);
  EXPECT_TRUE(std::isfinite((one / TypeParam(number(1), T(0.9))).radius()));
  EXPECT_EQ(sqrt(TypeParam(number(-1))).radius(), inf);
  EXPECT_EQ(sqrt(wide - TypeParam(number(0.5))).radius(), inf);
  EXPECT_EQ(TypeParam(E(nan)).radius(), inf);
  EXPECT_EQ(TypeParam(E(inf)).radius(), inf);
  EXPECT_EQ(TypeParam(number(1), nan).radius(), inf);
  EXPECT_EQ(TypeParam(number(1), T(-1)).radius(), inf);
  const TypeParam most{E(FloatTraits<T>::max)};
  EXPECT_EQ((most * most).radius(), inf);
  EXPECT_EQ((most + most).radius(), inf);
  EXPECT_EQ((TypeParam(number(1), inf) * zero).radius(), inf);
}

TYPED_TEST(CertifiedTest, Compares) {
  using T = typename TypeParam::Scalar;
  using E = typename TypeParam::Value;
  const auto about = [](double x, double r) { return TypeParam(E(T(x)), T(r)); };
  EXPECT_TRUE(is_less(about(1, 0.25), about(2, 0.5)));
  EXPECT_FALSE(is_less(about(1, 0.5), about(2, 0.5)));
  EXPECT_FALSE(is_less(about(2, 0), about(2, 0)));
  EXPECT_TRUE(is_positive(about(1e-30, 0)));
  EXPECT_FALSE(is_positive(about(0, 0)));
  EXPECT_FALSE(is_positive(about(1, HUGE_VAL)));
  EXPECT_TRUE(contains(about(1, 0.5), E(T(1.5))));
  EXPECT_TRUE(contains(about(1, 0), E(T(1))));
  EXPECT_FALSE(contains(about(1, 0.5), E(T(1.75))));
  EXPECT_FALSE(contains(about(1, 0.5), E(T(0.25))));
}

TEST(Certified, IsMadeFromNumbers) {
  const Certified<double, 2> a(f64x2(2)), b = a * 3 + 1, c = 1 / (b - 7.0);
  EXPECT_EQ(b.value(), f64x2(7));
  EXPECT_LT(b.radius(), 1e-30);
  EXPECT_TRUE(std::isinf(c.radius()));  // 7 - 7 is zero, for all that is known
  const Certified<double, 2> rest = sqrt(a) * sqrt(a) - a;
  EXPECT_TRUE(contains(rest, f64x2(0)));
  EXPECT_LT(rest.radius(), 1e-30);
  Certified<double, 2> sum = a;
  sum += a;
  sum *= a;
  sum -= 4;
  sum /= a;
  EXPECT_TRUE(contains(sum, f64x2(2)));
}

#if MCT_WITH_XSIMD
/// A lane computes the bits of a scalar.
TEST(Certified, InLanes) {
  using Batch = xsimd::batch<double>;
  using Lanes = Certified<Batch, 2>;
  Draw<double, 2> draw(9, -8, 8);
  for (int round = 0; round < 200; ++round) {
    Certified<double, 2> x[Batch::size], y[Batch::size];
    const auto load = [&](auto& all) {
      double planes[3][Batch::size];
      for (std::size_t i = 0; i < Batch::size; ++i) {
        all[i] = draw();
        for (int k = 0; k < 2; ++k) planes[k][i] = all[i].value().limb[k];
        planes[2][i] = all[i].radius();
      }
      Expansion<Batch, 2> value;
      for (int k = 0; k < 2; ++k) value.limb[k] = Batch::load_unaligned(planes[k]);
      return Lanes(value, Batch::load_unaligned(planes[2]));
    };
    const Lanes a = load(x), b = load(y);
    const auto expect = [&](const auto& f) {
      const Lanes r = f(a, b);
      double lanes[3][Batch::size];
      for (int k = 0; k < 2; ++k) r.value().limb[k].store_unaligned(lanes[k]);
      r.radius().store_unaligned(lanes[2]);
      for (std::size_t i = 0; i < Batch::size; ++i) {
        const Certified<double, 2> one = f(x[i], y[i]);
        EXPECT_TRUE(one.radius() == lanes[2][i]) << one.radius() << ' ' << lanes[2][i];
        if (std::isinf(one.radius())) continue;
        for (int k = 0; k < 2; ++k) EXPECT_EQ(one.value().limb[k], lanes[k][i]);
      }
    };
    expect([](const auto& p, const auto& q) { return p + q; });
    expect([](const auto& p, const auto& q) { return p * q; });
    expect([](const auto& p, const auto& q) { return p / q; });
    expect([](const auto& p, const auto&) { return sqrt(p); });
    expect([](const auto& p, const auto&) { return exp(p); });
    expect([](const auto& p, const auto&) { return exp2(p); });
    expect([](const auto& p, const auto&) { return expm1(p); });
    expect([](const auto& p, const auto&) { return log2(abs(p)); });
    expect([](const auto& p, const auto&) { return log10(abs(p)); });
    expect([](const auto& p, const auto&) { return log1p(abs(p)); });
    expect([](const auto& p, const auto&) { return cosh(p) - tanh(p); });
    expect([](const auto& p, const auto& q) { return log(abs(p)) + sinh(q); });
  }
}
#endif

}  // namespace
}  // namespace mct::certified_test
