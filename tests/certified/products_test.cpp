// Products of tensors lie within their radius of the exact ones.
#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/certified/enclosures.hpp"

namespace mct::certified_test {
namespace {

template <class X>
class CertifiedProductsTest : public ::testing::Test {};
using ProductTypes = ::testing::Types<Tensor<double, 1>, Tensor<double, 2>, Tensor<double, 3>,
                                      Tensor<double, 4>, Tensor<float, 1>, Tensor<float, 2>>;
TYPED_TEST_SUITE(CertifiedProductsTest, ProductTypes);

template <class T, int N>
Tensor<T, N> drawn(Draw<T, N>& draw, std::int64_t rows, std::int64_t columns) {
  std::vector<typename Tensor<T, N>::Value> all;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    if constexpr (N == 1) {
      all.push_back(draw.value().limb[0]);
    } else {
      all.push_back(draw.value());
    }
  }
  return Tensor<T, N>::from_values(all, {rows, columns});
}

template <class T, int N>
void expect_products(Draw<T, N>& draw, std::int64_t m, std::int64_t k, std::int64_t n) {
  const auto a = drawn(draw, m, k);
  const auto b = drawn(draw, n, k).t();  // columns that are not contiguous
  for (const auto accuracy : {MatmulAccuracy::componentwise, MatmulAccuracy::normwise}) {
    const CertifiedTensor<T, N> c = mm_certified(a, b, accuracy);
    ASSERT_EQ(c.radius.shape(), (Shape{m, n}));
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        Truth exact(0.0);
        for (std::int64_t l = 0; l < k; ++l)
          exact = exact + Truth(a.at({i, l})) * Truth(b.at({l, j}));
        EXPECT_LE(double(abs(exact - Truth(c.value.at({i, j})))), c.radius(i, j));
        EXPECT_TRUE(std::isfinite(c.radius(i, j)));
      }
  }
  const auto x = a.select(0, 0), y = b.select(1, 0);
  const auto inner = dot_certified(x, y);
  Truth exact(0.0);
  for (std::int64_t l = 0; l < k; ++l) exact = exact + Truth(x.at({l})) * Truth(y.at({l}));
  EXPECT_LE(double(abs(exact - Truth(inner.value.item()))), inner.radius.item());
}

TYPED_TEST(CertifiedProductsTest, HoldTheTruth) {
  using T = std::remove_cvref_t<decltype(*TypeParam().data())>;
  constexpr int N = TypeParam::nc();
  const double top = FloatTraits<T>::emax / 2.0 - 8;
  for (const double range : {2.0, 30.0, top}) {
    Draw<T, N> draw(std::uint64_t(range), -range * (range == top ? 2.3 : 1), range);
    expect_products(draw, 5, 7, 4);
    expect_products(draw, 3, 40, 3);
    expect_products(draw, 1, 1, 1);
  }
}

/// Radii are about as large as the stated bound: of all-positive elements of equal size not more
/// than 1.1 times that.
TYPED_TEST(CertifiedProductsTest, AreTight) {
  using Value = typename TypeParam::Value;
  using T = std::remove_cvref_t<decltype(*TypeParam().data())>;
  constexpr int N = TypeParam::nc();
  const auto a = full<T, N>({4, 16}, Value(T(1.5)));
  const auto c = mm_certified(a, a.t());
  const double stated =
      product_bound<T, N>(16) * std::pow(double(FloatTraits<T>::u), N) * 16 * 2.25;
  EXPECT_LE(c.radius(1, 2), 1.1 * stated);
  EXPECT_GE(c.radius(1, 2), stated);
}

TYPED_TEST(CertifiedProductsTest, SayWhereNothingIsKnown) {
  using Value = typename TypeParam::Value;
  using T = std::remove_cvref_t<decltype(*TypeParam().data())>;
  constexpr int N = TypeParam::nc();
  auto a = full<T, N>({2, 2}, Value(T(1)));
  a.set({0, 1}, Value(FloatTraits<T>::nan));
  const auto b = full<T, N>({2, 2}, Value(T(1)));
  const auto c = mm_certified(a, b);
  EXPECT_TRUE(std::isinf(c.radius(0, 0)));
  EXPECT_TRUE(std::isfinite(c.radius(1, 0)));
  const auto huge = full<T, N>({2, 2}, Value(FloatTraits<T>::max));
  EXPECT_TRUE(std::isinf(mm_certified(huge, huge).radius(1, 1)));
  EXPECT_THROW(mm_certified(a, full<T, N>({3, 2}, Value(T(1)))), ShapeError);
  EXPECT_EQ(mm_certified(TypeParam({2, 0}), TypeParam({0, 2})).radius(1, 1), 0);
}

}  // namespace
}  // namespace mct::certified_test
