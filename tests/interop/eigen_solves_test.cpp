// Eigen's triangular products and solves, LU, LLT and QR by the kernels of linalg/: residuals.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "mctensor/interop/eigen_products.hpp"
#include "mctensor/interop/eigen_tensor.hpp"
#include "tests/tensor/tensors.hpp"

namespace mct::test {
namespace {

using X = f64x2;
template <int Order>
using Matrix = Eigen::Matrix<X, Eigen::Dynamic, Eigen::Dynamic, Order>;

template <int Order>
Matrix<Order> random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  return copy_to_eigen<Matrix<Order>>(random_tensor<double, 2>({rows, columns}, seed, 0));
}

/// The largest element of `error` in units of n u^2 times the largest of `of`.
template <class Error, class Of>
double relative(const Error& error, const Of& of) {
  const X ratio = error.cwiseAbs().maxCoeff() / of.cwiseAbs().maxCoeff();
  return std::ldexp(double(ratio.limb[0]), 106) / double(of.rows());
}
/// n roundings of 5 u^2 and the growth of the factors of random matrices.
constexpr double limit = 64;

template <class T>
class EigenSolves : public ::testing::Test {};
using Orders = ::testing::Types<std::integral_constant<int, Eigen::ColMajor>,
                                std::integral_constant<int, Eigen::RowMajor>>;
TYPED_TEST_SUITE(EigenSolves, Orders);

TYPED_TEST(EigenSolves, Triangles) {
  using M = Matrix<TypeParam::value>;
  constexpr Eigen::Index n = 45;
  M a = random_matrix<TypeParam::value>(n, n, 1) / X(8);
  a.diagonal().array() += X(1);
  const M b = random_matrix<TypeParam::value>(n, 20, 2);
  const M lower = a.template triangularView<Eigen::Lower>();
  const M unit = a.template triangularView<Eigen::UnitLower>();
  const M upper = a.template triangularView<Eigen::Upper>();
  M x = a.template triangularView<Eigen::Lower>().solve(b);
  EXPECT_LT(relative(lower.lazyProduct(x) - b, x), limit);
  x = a.template triangularView<Eigen::UnitLower>().solve(b);
  EXPECT_LT(relative(unit.lazyProduct(x) - b, x), limit);
  x = a.transpose().template triangularView<Eigen::Upper>().solve(b);
  EXPECT_LT(relative(lower.transpose().lazyProduct(x) - b, x), limit);
  M y = b.transpose();
  a.template triangularView<Eigen::Upper>().template solveInPlace<Eigen::OnTheRight>(y);
  EXPECT_LT(relative(y.lazyProduct(upper) - b.transpose(), y), limit);
  // products
  x = a.template triangularView<Eigen::UnitLower>() * b;
  EXPECT_LT(relative(unit.lazyProduct(b) - x, x), limit);
  y = b.transpose() * a.template triangularView<Eigen::Upper>();
  EXPECT_LT(relative(b.transpose().lazyProduct(upper) - y, y), limit);
  x = a.transpose().template triangularView<Eigen::StrictlyLower>() * (X(3) * b);
  const M strict = a.transpose().template triangularView<Eigen::StrictlyLower>();
  EXPECT_LT(relative(X(3) * strict.lazyProduct(b) - x, x), limit);
  // one half of b b^T; the other stays
  M c = M::Zero(n, n);
  c.template selfadjointView<Eigen::Lower>().rankUpdate(b, X(-2));
  const M square = b.lazyProduct(b.transpose());
  const M half = square.template triangularView<Eigen::Lower>();
  EXPECT_LT(relative(c + X(2) * half, square), limit);
  EXPECT_TRUE(c(0, 1) == X(0));
}

TYPED_TEST(EigenSolves, Decompositions) {
  using M = Matrix<TypeParam::value>;
  constexpr Eigen::Index n = 70;  // Eigen's blocks are of 16 and 32
  const M a = random_matrix<TypeParam::value>(n, n, 3);
  const M b = random_matrix<TypeParam::value>(n, 8, 4);
  const Eigen::PartialPivLU<M> lu(a);
  EXPECT_LT(relative(lu.reconstructedMatrix() - a, a), limit);
  const M x = lu.solve(b);
  EXPECT_LT(relative(a * x - b, x), limit);
  const M symmetric = a * a.transpose() + M::Identity(n, n);
  const Eigen::LLT<M> llt(symmetric);
  ASSERT_EQ(llt.info(), Eigen::Success);
  EXPECT_LT(relative(llt.reconstructedMatrix() - symmetric, symmetric), limit);
  const M z = llt.solve(b);
  EXPECT_LT(relative(symmetric * z - b, symmetric), limit);
  if constexpr (TypeParam::value == Eigen::ColMajor) {  // takes long to compile
    const Eigen::HouseholderQR<M> qr(a);
    const M q = qr.householderQ();
    const M r = qr.matrixQR().template triangularView<Eigen::Upper>();
    EXPECT_LT(relative(q * r - a, a), limit);
    EXPECT_LT(relative(q.transpose() * q - M::Identity(n, n), q), limit);
  }
}

}  // namespace
}  // namespace mct::test
