// Element-wise operations: every gradient against differences in f64x2.
#include "tests/autograd/gradients.hpp"

namespace mct::test {
namespace {

// f: an expression in a and b, of shapes (2, 3) and (3), then with a plain second and first operand
#define MCT_CHECK_BINARY(low, high, expression)                                                   \
  {                                                                                               \
    const auto f = [](const auto& a, const auto& b) { return expression; };                       \
    EXPECT_TRUE(gradients_agree(f, input({2, 3}, 1, low, high), input({3}, 2, low, high)))        \
        << #expression;                                                                           \
    EXPECT_TRUE(gradients_agree(f, input({2, 1}, 3, low, high), input<V1>({2, 3}, 4, low, high))) \
        << #expression << ", plain second operand";                                               \
    EXPECT_TRUE(gradients_agree(f, input<V1>({}, 5, low, high), input({2}, 6, low, high)))        \
        << #expression << ", plain first operand";                                                \
  }

TEST(ElementwiseGradients, OfTwoOperands) {
  MCT_CHECK_BINARY(-1, 1, a + b);
  MCT_CHECK_BINARY(-1, 1, a - b);
  MCT_CHECK_BINARY(-1, 1, a * b);
  MCT_CHECK_BINARY(0.5, 2, a / b);
  MCT_CHECK_BINARY(0.5, 2, pow(a, b));
  MCT_CHECK_BINARY(0.5, 2, hypot(a, b));
  MCT_CHECK_BINARY(-1, 1, maximum(a, b));
  MCT_CHECK_BINARY(-1, 1, minimum(a, b));
}

TEST(ElementwiseGradients, WithNumbersAndTensors) {
  const auto x = input({2, 3}, 1, 0.5, 2);
  const auto t = randn<double, 2>({3}, 7);
  const auto check = [&](const auto& f) { EXPECT_TRUE(gradients_agree(f, x)); };
  check([](const auto& a) { return 2 + a * 3 - 1; });
  check([](const auto& a) { return 1 / a + (0.1 - a) / 7; });
  check([](const auto& a) { return a * f64x2(0.1) + f64x2(1) / a; });
  check([&](const auto& a) { return t * a - a / (t + 5) + (t.fc() - a); });
  check([](const auto& a) { return pow(a, 2.5) + pow(2, a) + pow(a, 2); });
  check([](const auto& a) { return maximum(a, 1) * minimum(0.75, a); });
  check([&](const auto& a) { return where(t > 0, a, t) + where(t > 1, 2, a); });
}

#define MCT_CHECK_UNARY(low, high, name)                                                        \
  EXPECT_TRUE(gradients_agree([](const auto& a) { return name(a); }, input({7}, 1, low, high))) \
      << #name

TEST(ElementwiseGradients, OfFunctions) {
  MCT_CHECK_UNARY(-1, 1, neg);
  MCT_CHECK_UNARY(-1, 1, abs);
  MCT_CHECK_UNARY(-1, 1, square);
  MCT_CHECK_UNARY(0.5, 2, sqrt);
  MCT_CHECK_UNARY(-2, 2, exp);
  MCT_CHECK_UNARY(-2, 2, exp2);
  MCT_CHECK_UNARY(0.5, 2, log);
  MCT_CHECK_UNARY(0.5, 2, log2);
  MCT_CHECK_UNARY(-2, 2, erf);
  MCT_CHECK_UNARY(-2, 2, erfc);
  MCT_CHECK_UNARY(-2, 2, tanh);
  MCT_CHECK_UNARY(-4, 4, sigmoid);
  MCT_CHECK_UNARY(-4, 4, gelu);
  MCT_CHECK_UNARY(-1, 1, relu);
  MCT_CHECK_UNARY(0.5, 2, rsqrt);
  MCT_CHECK_UNARY(-1, 1, expm1);
  MCT_CHECK_UNARY(-1, 1, exp2m1);
  MCT_CHECK_UNARY(-0.5, 1, log1p);
  MCT_CHECK_UNARY(-0.5, 1, log2p1);
  MCT_CHECK_UNARY(-1, 1, sinh);
  MCT_CHECK_UNARY(-1, 1, cosh);
  MCT_CHECK_UNARY(0.1, 0.9, logit);
  MCT_CHECK_UNARY(-4, 4, softplus);
  MCT_CHECK_UNARY(-3, 3, sin);
  MCT_CHECK_UNARY(-3, 3, cos);
  MCT_CHECK_UNARY(-1.2, 1.2, tan);
  MCT_CHECK_UNARY(-3, 3, sinpi);
  MCT_CHECK_UNARY(-3, 3, cospi);
  MCT_CHECK_UNARY(-0.8, 0.8, asin);
  MCT_CHECK_UNARY(-0.8, 0.8, acos);
  MCT_CHECK_UNARY(-3, 3, atan);
  MCT_CHECK_UNARY(0.5, 3, cbrt);
  MCT_CHECK_UNARY(-2, 2, asinh);
  MCT_CHECK_UNARY(1.5, 3, acosh);
  MCT_CHECK_UNARY(-0.5, 0.5, atanh);
  EXPECT_TRUE(
      gradients_agree([](const auto& a) { return clamp(a, -0.5, f64x2(0.25)); }, input({20}, 1)));
}

/// The gradients of f at x, given ones for the result.
template <class F>
std::vector<double> slopes(const std::vector<double>& x, const F& f) {
  const Variable<double> v(Tensor<double>::from_values(x), true);
  sum(f(v)).backward();
  return v.grad().values();
}

// the conventions of PyTorch where a function has a corner
TEST(ElementwiseGradients, AtCorners) {
  using List = std::vector<double>;
  EXPECT_EQ(slopes({-1, 0, 2}, [](const auto& x) { return abs(x); }), (List{-1, 0, 1}));
  EXPECT_EQ(slopes({-1, 0, 2}, [](const auto& x) { return relu(x); }), (List{0, 0, 1}));
  EXPECT_EQ(slopes({-2, -1, 0, 1, 2}, [](const auto& x) { return clamp(x, -1, 1); }),
            (List{0, 1, 1, 1, 0}));
  EXPECT_EQ(slopes({1, 2, 3}, [](const auto& x) { return maximum(x, 2); }), (List{0, 0.5, 1}));
  EXPECT_EQ(slopes({1, 2, 3}, [](const auto& x) { return minimum(x, 2); }), (List{1, 0.5, 0}));
  EXPECT_EQ(slopes({0, 1}, [](const auto& x) { return gelu(x); })[0], 0.5);
  EXPECT_EQ(slopes({0}, [](const auto& x) { return pow(x, 0); }), (List{0}));
  EXPECT_EQ(slopes({0}, [](const auto& x) { return pow(x, 1); }), (List{1}));
  EXPECT_EQ(slopes({0, 2}, [](const auto& x) { return pow(0, x); }), (List{0, 0}));
  EXPECT_TRUE(std::isinf(slopes({0}, [](const auto& x) { return sqrt(x); })[0]));
}

// a plain gradient of an expansion: df/dx = df/dx_i, of the leading components
TEST(ElementwiseGradients, OfExpansionsArePlain) {
  const auto value = randn<double, 2>({5}, 1);
  const Variable<double, 2> x(value, true);
  sum(exp(x) * x).backward();
  static_assert(std::is_same_v<decltype(x.grad()), Tensor<double, 1>>);
  const auto expected = (exp(value) * (value + 1)).fc();
  EXPECT_LT(max(abs(x.grad() - expected)).item(), 1e-15 * max(abs(expected)).item() * 8);
}

// the compiled loops of plain variables against the formulas in f64x2
TEST(ElementwiseGradients, GeluOfPlainVariables) {
  const auto check = []<class T>(T, double tolerance) {
    const auto value = randn<T>({1000}, 3);
    const Variable<T> x(value, true);
    const V2 reference(convert<double, 2>(value), true);
    sum(gelu(x)).backward();
    sum(gelu(reference)).backward();
    const auto difference = convert<double, 2>(x.grad()) - reference.grad();
    EXPECT_LT(double(max(abs(difference)).item()), tolerance);
  };
  check(double(), 1e-15);
  check(float(), 1e-6);
  check(half(), 2e-3);
  check(bfloat16(), 1e-2);
}

/// The slope of f at x.
template <class T, int N, class F>
double slope(double x, const F& f) {
  const Variable<T, N, N> at(convert<T, N>(full<double>({1}, x)), true);
  sum(f(at)).backward();
  return double(at.grad().at({0}));
}

TEST(ElementwiseGradients, WhereSquaresOverflow) {
  const auto check = []<class T, int N>(T, std::integral_constant<int, N>, double x,
                                        double tolerance) {
    const auto is = [&](double found, double expected) {
      EXPECT_NEAR(found, expected, tolerance * std::fabs(expected) + double(FloatTraits<T>::eta))
          << x << " " << N;
    };
    is(slope<T, N>(x, [](const auto& a) { return asinh(a); }), 1 / x);
    is(slope<T, N>(-x, [](const auto& a) { return asinh(a); }), 1 / x);
    is(slope<T, N>(x, [](const auto& a) { return acosh(a); }), 1 / x);
    is(slope<T, N>(x, [](const auto& a) { return atan(a); }), 1 / x / x);
  };
  using One = std::integral_constant<int, 1>;
  using Two = std::integral_constant<int, 2>;
  for (const double x : {1e155, 1e200, 1e300}) check(double(), One(), x, 1e-15);
  for (const double x : {1e155, 1e200}) check(double(), Two(), x, 1e-15);
  for (const float x : {2e19F, 1e20F, 1e30F}) check(float(), One(), double(x), 1e-6);
  check(half(), One(), 300, 5e-3);
  check(half(), Two(), 300, 5e-3);
  check(bfloat16(), One(), double(bfloat16(1e20F)), 2e-2);
}

TEST(ElementwiseGradients, GeluOfExpansionsAtTheEnds) {
  const auto check = []<class T, int N>(T, std::integral_constant<int, N>, double least) {
    const auto gelu_slope = [](double x) {
      return slope<T, N>(x, [](const auto& a) { return gelu(a); });
    };
    for (const double x : {double(INFINITY), 1e4, 100.0, 65.0}) {
      EXPECT_EQ(gelu_slope(x), 1) << x;
      EXPECT_EQ(gelu_slope(-x), 0) << x;
    }
    for (const double x : {least, -least, 1e3 * least, 0.0}) EXPECT_EQ(gelu_slope(x), 0.5) << x;
  };
  check(double(), std::integral_constant<int, 2>(), 1e-310);
  check(double(), std::integral_constant<int, 4>(), 1e-310);
  check(float(), std::integral_constant<int, 2>(), 1e-40);
  EXPECT_EQ((slope<double, 2>(1e200, [](const auto& a) { return gelu(a); })), 1);
}

TEST(ElementwiseGradients, ShapesThatDoNotFit) {
  const Variable<double> x(zeros<double>({2, 3}), true);
  const Variable<double> y(zeros<double>({2}), true);
  EXPECT_THROW(x + y, ShapeError);
  EXPECT_THROW(x * zeros<double>({4}), ShapeError);
  EXPECT_THROW(where(zeros<bool>({5}), x, y), ShapeError);
}

}  // namespace
}  // namespace mct::test
