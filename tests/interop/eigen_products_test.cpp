// Eigen's products, solves and decompositions by the kernels of linalg/: the bits of mm, and
// residuals near u^N, for every storage order and for what lies in other matrices.
#include "mctensor/interop/eigen_products.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "mctensor/interop/eigen_tensor.hpp"
#include "tests/linalg/product_oracle.hpp"
#include "tests/tensor/tensors.hpp"

namespace mct::test {
namespace {

using Eigen::ColMajor;
using Eigen::RowMajor;
template <class X, int Order = ColMajor>
using Matrix = Eigen::Matrix<X, Eigen::Dynamic, Eigen::Dynamic, Order>;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class X, int Order = ColMajor>
Matrix<X, Order> random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  const auto x = random_tensor<typename X::Scalar, X::components>({rows, columns}, seed, 0);
  return copy_to_eigen<Matrix<X, Order>>(x);
}

template <class A, class B>
auto kernel_product(const A& a, const B& b) {
  return mm(copy_from_eigen(a), copy_from_eigen(b));
}
/// The product as it is added to a matrix: by its columns, if these are what lies together.
template <class A, class B>
auto summed_product(const A& a, const B& b, bool row_major) {
  return row_major ? kernel_product(a, b) : kernel_product(b.transpose(), a.transpose()).t();
}

template <class X, int OrderA, int OrderB, int OrderC>
void check_orders() {
  SCOPED_TRACE(OrderA * 4 + OrderB * 2 + OrderC);
  const auto a = random_matrix<X, OrderA>(20, 33, 1);
  const auto b = random_matrix<X, OrderB>(33, 25, 2);
  const auto c = random_matrix<X, OrderC>(20, 25, 3);
  const auto product = summed_product(a, b, OrderC == RowMajor);
  Matrix<X, OrderC> r = a * b;
  EXPECT_TRUE(same(copy_from_eigen(r), kernel_product(a, b)));
  r = c;
  r.noalias() += a * b;
  EXPECT_TRUE(same(copy_from_eigen(r), add(copy_from_eigen(c), product)));
  r = c;
  r.noalias() -= a * b;
  EXPECT_TRUE(same(copy_from_eigen(r), sub(copy_from_eigen(c), product)));
  r = c;
  r.noalias() += X(3) * a * b;
  const auto threes = full<typename X::Scalar, X::components>({20, 25}, X(3));
  const auto scaled = mul_add(threes, product, copy_from_eigen(c));
  EXPECT_TRUE(same(copy_from_eigen(r), scaled));
}

TEST(EigenProducts, AreThoseOfTheKernelsInEveryOrder) {
  check_orders<f64x2, ColMajor, ColMajor, ColMajor>();
  check_orders<f64x2, ColMajor, RowMajor, ColMajor>();
  check_orders<f64x2, RowMajor, ColMajor, ColMajor>();
  check_orders<f64x2, RowMajor, RowMajor, ColMajor>();
  check_orders<f64x2, ColMajor, ColMajor, RowMajor>();
  check_orders<f64x2, RowMajor, ColMajor, RowMajor>();
}

TEST(EigenProducts, OfEveryType) {
  const auto check = []<class X>(const X&) {
    const auto a = random_matrix<X>(24, 30, 1);
    const auto b = random_matrix<X>(30, 24, 2);
    const Matrix<X> c = a * b;
    EXPECT_TRUE(same(copy_from_eigen(c), kernel_product(a, b)));
  };
  check(f64x3{});
  check(f64x4{});
  check(f32x2{});
  check(f32x3{});
  check(bf16x2{});
  check(f16x3{});
}

TEST(EigenProducts, AreWithinTheBound) {
  ProductOracle oracle;
  for (const Eigen::Index n : {1, 3, 6, 9, 11, 12, 40}) {  // Eigen's loops and the kernels
    const auto a = random_matrix<f64x2>(n, n, 1);
    const auto b = random_matrix<f64x2>(n, n, 2);
    const Matrix<f64x2> c = a * b.transpose();
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) {
        oracle.clear();
        for (Eigen::Index l = 0; l < n; ++l) oracle.add(a(i, l), b(j, l));
        EXPECT_LE(oracle.error(c(i, j)), (product_bound<double, 2>(double(n))));
      }
  }
}

TEST(EigenProducts, OfBlocksMapsAndTransposes) {
  using X = f64x2;
  const auto a = random_matrix<X>(40, 50, 1);
  const auto b = random_matrix<X>(50, 40, 2);
  const Matrix<X> inner_a = a.block(3, 5, 20, 30);
  const Matrix<X> inner_b = b.block(7, 1, 30, 25);
  const auto expected = kernel_product(inner_a, inner_b);
  // into a block, whose surroundings stay
  Matrix<X> c = Matrix<X>::Constant(40, 40, X(7));
  c.block(2, 4, 20, 25).noalias() = a.block(3, 5, 20, 30) * b.block(7, 1, 30, 25);
  const Matrix<X> written = c.block(2, 4, 20, 25);
  EXPECT_TRUE(same(copy_from_eigen(written), expected));
  c.block(2, 4, 20, 25).setConstant(X(7));
  EXPECT_TRUE(c == Matrix<X>::Constant(40, 40, X(7)));
  Matrix<X> turned(25, 20);
  turned.noalias() = inner_b.transpose() * inner_a.transpose();
  EXPECT_TRUE(
      same(copy_from_eigen(turned), kernel_product(inner_b.transpose(), inner_a.transpose())));
  Matrix<X> into_transposed(25, 20);
  into_transposed.transpose().noalias() = inner_a * inner_b;
  EXPECT_TRUE(same(copy_from_eigen(into_transposed).t(), kernel_product(inner_a, inner_b)));
  // every second element of memory
  using Sparse = Eigen::Map<Matrix<X>, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
  std::vector<X> memory(2 * 30 * 30, X(7));
  Sparse sparse(memory.data(), 20, 25, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(60, 2));
  sparse.noalias() = inner_a * inner_b;
  EXPECT_TRUE(same(copy_from_eigen(sparse), expected));
  EXPECT_TRUE(memory[1] == X(7));
}

TEST(EigenProducts, OntoTheirFactors) {
  const auto a = random_matrix<f64x2>(30, 30, 1);
  const auto b = random_matrix<f64x2>(30, 30, 2);
  const auto product = kernel_product(a, b);
  Matrix<f64x2> c = a;
  c = c * b;
  EXPECT_TRUE(same(copy_from_eigen(c), product));
  c = a;
  c *= b;
  EXPECT_TRUE(same(copy_from_eigen(c), product));
  c = b;
  c = a * c;
  EXPECT_TRUE(same(copy_from_eigen(c), product));
}

TEST(EigenProducts, OfNoRowsOrTerms) {
  const auto a = random_matrix<f64x2>(30, 0, 1);
  const auto b = random_matrix<f64x2>(0, 30, 2);
  const Matrix<f64x2> zero = a * b;
  EXPECT_TRUE(zero == (Matrix<f64x2>::Zero(30, 30)));
  const Matrix<f64x2> nothing = b * zero;
  EXPECT_EQ(nothing.rows(), 0);
  EXPECT_EQ(nothing.cols(), 30);
  Matrix<f64x2> kept = Matrix<f64x2>::Identity(30, 30);
  kept.noalias() += a * b;
  EXPECT_TRUE(kept == (Matrix<f64x2>::Identity(30, 30)));
}

TEST(EigenProducts, SpecialValues) {
  Matrix<f64x2> a = Matrix<f64x2>::Ones(20, 20);
  const Matrix<f64x2> b = Matrix<f64x2>::Ones(20, 20);
  a(3, 4) = f64x2(inf);
  a(5, 6) = f64x2(nan);
  a(7, 1) = f64x2(inf);
  a(7, 2) = f64x2(-inf);
  const Matrix<f64x2> c = a * b;
  for (int j = 0; j < 20; ++j) {
    EXPECT_EQ(c(3, j).limb[0], inf);
    EXPECT_TRUE(std::isnan(c(5, j).limb[0]));
    EXPECT_TRUE(std::isnan(c(7, j).limb[0]));
    EXPECT_EQ(c(8, j).limb[0], 20);
  }
}

TEST(EigenProducts, ThreadsDoNotMatter) {
  const auto a = random_matrix<f64x2>(90, 90, 1);
  const int before = num_threads();
  set_num_threads(1);
  const Matrix<f64x2> one = a * a;
  set_num_threads(3);
  const Matrix<f64x2> three = a * a;
  set_num_threads(before);
  EXPECT_TRUE(one == three);
}

}  // namespace
}  // namespace mct::test
