// Gradients of products, softmax and normalization.
#include "tests/autograd/gradients.hpp"

namespace mct::test {
namespace {

// both of two doubles, then each with a plain other operand
#define MCT_CHECK_PRODUCT(first, second, expression)                                       \
  {                                                                                        \
    const auto f = [](const auto& a, const auto& b) { return expression; };                \
    EXPECT_TRUE(gradients_agree(f, input(first, 1), input(second, 2))) << #expression;     \
    EXPECT_TRUE(gradients_agree(f, input<V1>(first, 1), input(second, 2))) << #expression; \
    EXPECT_TRUE(gradients_agree(f, input(first, 1), input<V1>(second, 2))) << #expression; \
  }

TEST(ProductGradients, OfVectorsAndMatrices) {
  MCT_CHECK_PRODUCT((Shape{4}), (Shape{4}), dot(a, b));
  MCT_CHECK_PRODUCT((Shape{2, 3}), (Shape{3}), mv(a, b));
  MCT_CHECK_PRODUCT((Shape{2, 3}), (Shape{3, 2}), mm(a, b));
  MCT_CHECK_PRODUCT((Shape{3, 2}), (Shape{2, 3}), mm(a.t(), b.t()));
  MCT_CHECK_PRODUCT((Shape{2, 2, 3}), (Shape{2, 3, 2}), bmm(a, b));
}

TEST(ProductGradients, OfMatmulWithAnyDimensions) {
  const std::pair<Shape, Shape> shapes[] = {{{3}, {3}},
                                            {{2, 3}, {3}},
                                            {{3}, {3, 2}},
                                            {{2, 3}, {3, 2}},
                                            {{2, 1, 3}, {3}},
                                            {{3}, {2, 3, 1}},
                                            {{2, 2, 3}, {3, 2}},
                                            {{2, 3}, {2, 3, 2}},
                                            {{2, 1, 2, 3}, {2, 3, 1}},
                                            {{1, 2, 3}, {2, 3, 2}}};
  for (const auto& [first, second] : shapes) {
    SCOPED_TRACE(to_string(first) + " " + to_string(second));
    MCT_CHECK_PRODUCT(first, second, matmul(a, b));
  }
}

TEST(ProductGradients, OfAddmmAndLinear) {
  const auto f = [](const auto& c, const auto& a, const auto& b) {
    return addmm(c, a, b, 0.5, -2.0) + addmm(c, a, b);
  };
  EXPECT_TRUE(gradients_agree(f, input({2}, 1), input({3, 4}, 2), input({4, 2}, 3)));
  EXPECT_TRUE(gradients_agree(f, input({3, 2}, 1), input<V1>({3, 4}, 2), input({4, 2}, 3)));
  const auto layer = [](const auto& x, const auto& w, const auto& b) { return linear(x, w, b); };
  for (const Shape& shape : {Shape{3}, Shape{2, 3}, Shape{2, 2, 3}}) {
    EXPECT_TRUE(gradients_agree(layer, input(shape, 1), input({4, 3}, 2), input({4}, 3)));
    EXPECT_TRUE(gradients_agree(layer, input<V1>(shape, 1), input({4, 3}, 2), input({4}, 3)));
    EXPECT_TRUE(gradients_agree([](const auto& x, const auto& w) { return linear(x, w, V2()); },
                                input(shape, 1), input({4, 3}, 2)));
  }
  EXPECT_THROW(linear(input({2, 3}, 1), input({4, 3}, 2), input({3}, 3)), ShapeError);
  EXPECT_THROW(linear(input({2, 3}, 1), input({4, 2}, 2), input({4}, 3)), ShapeError);
}

TEST(ProductGradients, ConstantsTakeNone) {
  const auto x = input({2, 3}, 1);
  const auto t = randn<double, 2>({3, 2}, 1);
  EXPECT_TRUE(gradients_agree([&](const auto& a) { return matmul(a, t) + mm(t.t(), a.t()); }, x));
  EXPECT_TRUE(gradients_agree([&](const auto& a) { return addmm(t.select(0, 0), a, t); }, x));
}

/// Sums of nothing: gradients of zeros or without elements.
TEST(ProductGradients, OfEmptyOperands) {
  const auto check = [](const Shape& left, const Shape& right) {
    SCOPED_TRACE(to_string(left) + to_string(right));
    const Variable<double> a(full<double>(left, 1), true);
    const Variable<double> b(full<double>(right, 1), true);
    const auto total = sum(matmul(a, b));
    EXPECT_EQ(total.item(), 0);
    total.backward();
    EXPECT_EQ(a.grad().shape(), left);
    EXPECT_EQ(b.grad().shape(), right);
    EXPECT_EQ(sum(abs(b.grad())).item(), 0);
  };
  check({2, 3, 0}, {0, 4});
  check({0, 3, 2}, {2, 4});
  check({2, 0, 2}, {2, 4});
  check({2, 3, 2}, {2, 0});
  check({3, 0}, {0, 4});
  const Variable<double> x(Tensor<double>({2, 3, 0}), true);
  const Variable<double> weight(Tensor<double>({4, 0}), true);
  const Variable<double> bias(full<double>({4}, 1), true);
  sum(linear(x, weight, bias)).backward();
  EXPECT_EQ(x.grad().shape(), (Shape{2, 3, 0}));
  EXPECT_EQ(weight.grad().shape(), (Shape{4, 0}));
  EXPECT_EQ(bias.grad().values(), std::vector<double>(4, 6));
}

/// Rows without elements stay without, whatever the components.
template <class V>
void expect_empty_rows() {
  for (const Shape& shape : {Shape{2, 0}, Shape{0, 2}, Shape{0, 0}})
    for (const std::int64_t dim : {0, 1}) {
      SCOPED_TRACE(to_string(shape));
      const V x(typename V::Value(shape), true);
      const auto y = softmax(x, dim);
      const auto z = log_softmax(x, dim);
      const auto n = normalize(x, 1, 1e-5);
      for (const auto& result : {y, z, n}) EXPECT_EQ(result.shape(), shape);
      sum(y + z + n).backward();
      EXPECT_EQ(x.grad().shape(), shape);
    }
  EXPECT_THROW(softmax(V(typename V::Value({2, 0})), 2), ShapeError);
}

TEST(SoftmaxGradients, OfEmptyRows) {
  expect_empty_rows<Variable<float>>();
  expect_empty_rows<Variable<double, 2>>();
}

TEST(SoftmaxGradients, NormalizeHasADomain) {
  const auto expect_refused = [](const auto& x) {
    for (const double eps : {-1.0, double(INFINITY), double(NAN)}) {
      const auto message = message_of<DomainError>([&] { normalize(x, 1, eps); });
      EXPECT_NE(message.find("normalize: eps " + number_text(eps)), std::string::npos) << message;
    }
    EXPECT_EQ(normalize(x, 1, 0).shape(), (Shape{1, 2}));
  };
  const auto values = Tensor<double>::from_values({1, 3}, {1, 2});
  expect_refused(Variable<double>(values));
  expect_refused(Variable<double, 2>(convert<double, 2>(values)));
  EXPECT_EQ(normalize(Variable<double>(values), 1, 0).value().values(),
            (std::vector<double>{-1, 1}));
}

// a row times 2^e and eps times 2^(2 e) have the same result
TEST(SoftmaxGradients, NormalizeHasNoScale) {
  const auto check = []<class T, int N>(T, std::integral_constant<int, N>,
                                        const std::vector<double>& scales, double tolerance) {
    const auto values = Tensor<double>{{1, 0.25, -1.5}, {3, -2, 1}};
    const auto weights = convert<T, N>(Tensor<double>{{1, -2, 0.5}, {0, 1, 3}});
    const auto result = [&](double scale, double eps, double unit) {
      const Variable<T, N, N> x(convert<T, N>(values * scale), true);
      const auto y = normalize(x, 1, eps);
      sum(y * weights).backward();
      return std::make_pair(convert<double, 1>(y.value()), convert<double, 1>(x.grad() * T(unit)));
    };
    const auto expected = result(1, 0, 1);
    for (const double scale : scales) {
      const auto found = result(scale, 0, scale);
      EXPECT_LE(max(abs(found.first - expected.first)).item(), tolerance) << scale;
      EXPECT_LE(max(abs(found.second - expected.second)).item(), tolerance) << scale;
    }
  };
  using One = std::integral_constant<int, 1>;
  using Two = std::integral_constant<int, 2>;
  check(double(), One(), {0x1p1000, 0x1p700, 0x1p-700, 0x1p-1000}, 1e-14);
  check(double(), Two(), {0x1p900, 0x1p700, 0x1p-700}, 1e-14);
  check(float(), One(), {0x1p100, 0x1p-100}, 1e-5);
  check(float(), Two(), {0x1p90, 0x1p-70}, 1e-5);
  const auto ends = Tensor<double>{{1e200, -1e200}, {1e-200, -1e-200}};
  EXPECT_LE(max(abs(normalize(Variable<double>(ends), 1, 0).value() -
                    Tensor<double>::from_values({1, -1})))
                .item(),
            1e-15);
  // eps alone
  const auto small = normalize(Variable<double>(Tensor<double>{{1e-320, -1e-320}}), 1, 1e-280);
  EXPECT_NEAR(small.value().data()[0] / 1e-180, 1, 1e-3);
}

TEST(SoftmaxGradients, OfExpansions) {
  for (const std::int64_t dim : {0, 1, -1}) {
    EXPECT_TRUE(
        gradients_agree([=](const auto& a) { return softmax(a, dim); }, input({2, 3, 2}, 1)));
    EXPECT_TRUE(
        gradients_agree([=](const auto& a) { return log_softmax(a, dim); }, input({2, 3, 2}, 1)));
  }
  EXPECT_TRUE(
      gradients_agree([](const auto& a) { return normalize(a, 1, 1e-5); }, input({3, 4}, 1)));
  EXPECT_TRUE(
      gradients_agree([](const auto& a) { return normalize(a, 2, 0.1); }, input({2, 2, 3}, 1)));
  EXPECT_THROW(normalize(input({3}, 1), 2, 1e-5), ShapeError);
}

/// Values and gradients of f on a plain variable and on one of two doubles differ by at most
/// `tolerance`.
template <class T, class F>
void expect_as_in_f64x2(const F& f, double tolerance, double scale = 1) {
  const auto value = randn<T>({7, 5, 19}, 1) * scale;
  const Variable<T> x(value, true);
  const V2 reference(convert<double, 2>(value), true);
  const auto weights = randn<T>({7, 5, 19}, 2);
  const auto y = f(x);
  const auto expected = f(reference);
  const auto distance = [](const auto& a, const Tensor<double, 2>& b) {
    return double(max(abs(convert<double, 2>(a) - b)).item());
  };
  EXPECT_LT(distance(y.value(), expected.value()), tolerance);
  y.backward(weights);
  expected.backward(convert<double, 2>(weights));
  EXPECT_LT(distance(x.grad(), reference.grad()), 4 * tolerance);
}

TEST(SoftmaxGradients, OfPlainVariablesAsInF64x2) {
  const auto check = []<class T>(T, double u) {
    for (const std::int64_t dim : {0, -1}) {
      expect_as_in_f64x2<T>([=](const auto& x) { return softmax(x, dim); }, 4 * u);
      expect_as_in_f64x2<T>([=](const auto& x) { return log_softmax(x, dim); }, 40 * u, 4);
    }
    expect_as_in_f64x2<T>([](const auto& x) { return normalize(x, 1, 1e-5); }, 16 * u);
    expect_as_in_f64x2<T>([](const auto& x) { return normalize(x, 2, 1e-5); }, 16 * u);
  };
  check(double(), 0x1p-53);
  check(float(), 0x1p-24);
  check(half(), 0x1p-11);
  check(bfloat16(), 0x1p-8);
}

TEST(SoftmaxGradients, LargeNumbersDoNotOverflow) {
  const auto x = Variable<float>(Tensor<float>::from_values({1000, 999, -1000}), true);
  const auto y = log_softmax(x, 0);
  EXPECT_NEAR(y.value().at({0}), -std::log1p(std::exp(-1.0)), 1e-6);
  EXPECT_FLOAT_EQ(y.value().at({2}), -2000 - float(std::log1p(std::exp(-1.0))));
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto masked = Variable<float>(Tensor<float>::from_values({1, -infinity, 1}), true);
  const auto p = softmax(masked, 0);
  EXPECT_EQ(p.value().values(), (std::vector<float>{0.5F, 0, 0.5F}));
  p.backward(Tensor<float>::from_values({1, 5, 0}));
  EXPECT_EQ(masked.grad().values(), (std::vector<float>{0.25F, 0, -0.25F}));
}

}  // namespace
}  // namespace mct::test
