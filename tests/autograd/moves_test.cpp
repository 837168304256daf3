// Gradients of views, of moves of elements, and of reductions.
#include "tests/autograd/gradients.hpp"

namespace mct::test {
namespace {

using Indices = Tensor<std::int64_t>;

#define MCT_CHECK(shape, expression)                                                       \
  EXPECT_TRUE(gradients_agree([&](const auto& a) { return expression; }, input(shape, 1))) \
      << #expression

// every result is multiplied by itself: a linear function alone would not show where a gradient
// went
#define MCT_CHECK_SQUARE(shape, expression) \
  EXPECT_TRUE(gradients_agree(              \
      [&](const auto& a) {                  \
        const auto r = expression;          \
        return r * r;                       \
      },                                    \
      input(shape, 1)))                     \
      << #expression

TEST(MoveGradients, OfViews) {
  const Shape shape{2, 3, 4};
  MCT_CHECK_SQUARE(shape, a.reshape({4, -1}));
  MCT_CHECK_SQUARE(shape, a.transpose(0, 2).reshape({6, 4}));
  MCT_CHECK_SQUARE(shape, a.flatten());
  MCT_CHECK_SQUARE(shape, a.t() * 2);
  MCT_CHECK_SQUARE(shape, a.permute({2, 0, -2}));
  MCT_CHECK_SQUARE(shape, a.narrow(1, 1, 2));
  MCT_CHECK_SQUARE(shape, a.slice(2, 3, -9, -2));
  MCT_CHECK_SQUARE(shape, a.select(-1, 2));
  MCT_CHECK_SQUARE(shape, a[1][0]);
  MCT_CHECK_SQUARE(shape, a.transpose(0, 1).contiguous() + a.contiguous().transpose(0, 1));
  MCT_CHECK_SQUARE(shape, a.unsqueeze(1).expand({2, 5, -1, 4}));
  MCT_CHECK_SQUARE((Shape{1, 3, 1}), a.squeeze(0));
  MCT_CHECK_SQUARE((Shape{1, 3, 1}), a.squeeze() + a.unsqueeze(-1).expand({1, 3, 2, 3}));
}

// parts are added to a gradient that another node has as well, before and after it arrived
TEST(MoveGradients, OfPartsAndWholes) {
  using V = Variable<double>;
  const V x(Tensor<double>::from_values({1, 2, 3}), true);
  const V z(Tensor<double>::from_values({1, 1, 1}), true);
  const V y = x * 2;
  const V w = z * 3;
  const V early = y.narrow(0, 1, 2) * 10;
  const V whole = y + w;
  const V late = y.select(0, 0) * 100;
  (sum(early) + sum(whole) + late).backward();
  EXPECT_EQ(x.grad().values(), (std::vector<double>{202, 22, 22}));
  EXPECT_EQ(z.grad().values(), (std::vector<double>{3, 3, 3}));
  // of a leaf, over two passes
  sum(z[2]).backward();
  sum(z.slice(0, 0, 3, 2)).backward();
  EXPECT_EQ(z.grad().values(), (std::vector<double>{4, 3, 5}));
}

TEST(MoveGradients, OfEvaluate) {
  // exact for these inputs, of one component
  MCT_CHECK_SQUARE((Shape{2, 3}), a.evaluate() + a);
  // rounding is passed over: the sum of both components
  const Variable<float, 2> x(full<float, 2>({1}, f32x2(1) + f32x2(1e-9)), true);
  const auto y = x.evaluate();
  EXPECT_EQ(y.item(), 1.0F);
  (y * 3).backward();
  EXPECT_EQ(x.grad().item(), 3.0F);
}

TEST(MoveGradients, OfConvert) {
  const auto longer = [](const V2& a) { return square(convert<double, 2>(a.evaluate())) * a; };
  EXPECT_TRUE(gradients_agree(longer, input({2, 3}, 1)));
  // a loss in float of a model in bfloat16
  const Variable<bfloat16, 2> x(randn<bfloat16, 2>({3}, 1), true);
  const auto y = convert<float, 1>(x);
  EXPECT_TRUE(same(y.value(), convert<float, 1>(x.value())));
  sum(y * 3.0F).backward();
  EXPECT_EQ(x.grad().at({1}), bfloat16(3.0F));
  const Variable<bfloat16, 2> constant(x.value());
  EXPECT_FALSE((convert<float, 2>(constant)).requires_grad());
}

TEST(MoveGradients, OfCatAndStack) {
  const auto x = input({2, 3}, 1);
  const auto y = input({2, 1}, 2);
  EXPECT_TRUE(gradients_agree(
      [](const auto& a, const auto& b) {
        const auto r = cat(std::vector{a, b, a}, -1);
        return r * r;
      },
      x, y));
  EXPECT_TRUE(gradients_agree(
      [](const auto& a, const auto& b) {
        const auto r = stack(std::vector{a, b.expand({2, 3})}, 1);
        return r * r * r;
      },
      x, y));
  EXPECT_THROW(cat(std::vector{x, y}, 0), ShapeError);
}

TEST(MoveGradients, OfIndexing) {
  const auto rows = Indices::from_values({2, 0, 2});
  const auto places = Indices::from_values({0, 1, 1, 0, 2, 2}, {2, 3});
  MCT_CHECK_SQUARE((Shape{3, 2}), index_select(a, 0, rows));
  MCT_CHECK_SQUARE((Shape{2, 4, 3}), index_select(a, -1, rows));
  MCT_CHECK_SQUARE((Shape{3, 4}), gather(a, 0, places));
  MCT_CHECK_SQUARE((Shape{2, 4}), gather(a, 1, places));
  MCT_CHECK_SQUARE((Shape{3, 2}), embedding(a, places));
  MCT_CHECK_SQUARE((Shape{3}), embedding(a, rows));
  EXPECT_TRUE(gradients_agree(
      [&](const auto& a, const auto& b) {
        const auto r = scatter_add(a, 0, places, b);
        return r * r;
      },
      input({3, 3}, 1), input({3, 4}, 2)));
}

TEST(MoveGradients, OfEmbeddingAsRows) {
  const auto places = Indices::from_values({3, 1, 3, 0, 1, 3}, {2, 3});
  const auto factor = randn<double>({2, 3, 4}, 1);
  const Variable<double> dense(randn<double>({5, 4}, 2), true);
  const Variable<double> sparse(dense.value(), true);
  sum(embedding(dense, places) * factor).backward();
  sum(embedding(sparse, places, -1, true) * factor).backward();
  ASSERT_TRUE(sparse.has_sparse_grad());
  EXPECT_FALSE(dense.has_sparse_grad());
  const auto rows = sparse.sparse_grad();
  EXPECT_EQ(rows.indices.values(), (std::vector<std::int64_t>{0, 1, 3}));
  EXPECT_EQ(rows.rows.shape(), (Shape{3, 4}));
  EXPECT_TRUE(same(rows.dense({5, 4}), dense.grad()));
  EXPECT_TRUE(same(sparse.grad(), dense.grad()));
  EXPECT_TRUE(sparse.has_sparse_grad()) << "reading the whole gradient does not change it";
  // a second pass adds rows, a dense gradient makes all of it dense
  sum(embedding(sparse, places, -1, true) * factor).backward();
  EXPECT_TRUE(same(sparse.sparse_grad().dense({5, 4}), dense.grad() * 2));
  sum(sparse).backward();
  EXPECT_FALSE(sparse.has_sparse_grad());
  EXPECT_THROW(sparse.sparse_grad(), DomainError);
  EXPECT_LT(max(abs(sparse.grad() - (dense.grad() * 2 + 1))).item(), 1e-14);
  // through an operation, rows become a tensor
  dense.zero_grad();
  sum(embedding(dense * 2, places, -1, true) * factor).backward();
  EXPECT_LT(max(abs(dense.grad() * 0.5 - rows.dense({5, 4}))).item(), 1e-14);
  dense.zero_grad();
  sum(embedding(dense, places, 3)).backward();
  EXPECT_EQ(sum(dense.grad(), {1}).values(), (std::vector<double>{4, 8, 0, 0, 0}));
  EXPECT_THROW(embedding(dense, Indices::from_values({5})), ShapeError);
}

TEST(MoveGradients, OfReductions) {
  const Shape shape{2, 3, 4};
  MCT_CHECK_SQUARE(shape, sum(a));
  MCT_CHECK_SQUARE(shape, sum(a, {1}));
  MCT_CHECK_SQUARE(shape, sum(a, {-1, 0}, true));
  MCT_CHECK_SQUARE(shape, mean(a));
  MCT_CHECK_SQUARE(shape, mean(a, {0, 2}));
  MCT_CHECK_SQUARE(shape, mean(a, {1}, true) * a);
  MCT_CHECK(shape, norm(a));
  MCT_CHECK(shape, norm(a, 2, {1}));
  MCT_CHECK(shape, norm(a, 1, {0}, true));
  // numbers further apart than the steps of a difference
  const auto apart = [](const V2& a) {
    return a + convert<double, 2>(randn<double>({2, 3, 4}, 9));
  };
  MCT_CHECK_SQUARE(shape, max(apart(a)));
  MCT_CHECK_SQUARE(shape, max(apart(a), {1}));
  MCT_CHECK_SQUARE(shape, min(apart(a), {0, 2}, true));
  MCT_CHECK_SQUARE(shape, norm(apart(a), std::numeric_limits<double>::infinity(), {2}));
}

TEST(MoveGradients, OfEqualExtremes) {
  const Variable<double> x(Tensor<double>::from_values({1, 3, 3, 3, 0, 0}, {2, 3}), true);
  max(x).backward();
  EXPECT_EQ(x.grad().values(), (std::vector<double>{0, 1 / 3.0, 1 / 3.0, 1 / 3.0, 0, 0}));
  x.zero_grad();
  sum(min(x, {1})).backward();
  EXPECT_EQ(x.grad().values(), (std::vector<double>{1, 0, 0, 0, 0.5, 0.5}));
  const Variable<double> zero(zeros<double>({2}), true);
  norm(zero).backward();
  EXPECT_EQ(zero.grad().values(), (std::vector<double>{0, 0}));
}

// neither n nor 1 / n is a normal half
TEST(MoveGradients, OfLongMeansInHalf) {
  const Variable<half> x(zeros<half>({100000}), true);
  mean(x).backward(full<half>({}, half(1000.0F)));
  EXPECT_NEAR(float(x.grad().at({7})), 0.01F, 1e-5F);
  // in two components: 22 bits, where the low one is not subnormal
  const Variable<half, 2, 2> y(zeros<half, 2>({100000}), true);
  const auto g = Tensor<half, 2>::scalar(f16x2(60000.0));
  mean(y).backward(g);
  EXPECT_NEAR(double(y.grad().at({7})), 0.6, 0.6 * 0x1p-20);
}

TEST(MoveGradients, OfManyEqualExtremesInHalf) {
  const auto check = []<int N>() {
    const auto is_share = [](const auto& f) {
      const Variable<half, N, N> x(convert<half, N>(full<double>({70000}, 1.0)), true);
      f(x).backward(convert<half, N>(full<double>({}, 1000.0)));
      EXPECT_NEAR(double(x.grad().at({7})), 1 / 70.0, 1e-5);
    };
    is_share([](const auto& x) { return max(x); });
    is_share([](const auto& x) { return min(x); });
    is_share([](const auto& x) { return norm(x, std::numeric_limits<double>::infinity()); });
  };
  check.operator()<1>();
  check.operator()<2>();
}

}  // namespace
}  // namespace mct::test
