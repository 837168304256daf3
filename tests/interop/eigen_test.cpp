// Eigen's decompositions on expansions: residuals near u^N, on random and on ill-conditioned input.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <random>

#include "mctensor/interop/eigen.hpp"

namespace {

template <class X>
class EigenTest : public ::testing::Test {
 public:
  using Matrix = Eigen::Matrix<X, Eigen::Dynamic, Eigen::Dynamic>;
  static constexpr int n = 12;

  static Matrix hilbert() {
    Matrix m(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) m(i, j) = X(1) / X(i + j + 1);
    return m;
  }
  static Matrix random() {
    std::mt19937_64 engine(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    using T = typename X::Scalar;
    Matrix m(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        m(i, j) = X(T(uniform(engine))) + X(T(uniform(engine))) * std::numeric_limits<X>::epsilon();
    return m;
  }
  /// The largest entry of `error` in units of u^N times the largest of `of`.
  static double relative(const Matrix& error, const Matrix& of) {
    const X ratio = error.cwiseAbs().maxCoeff() / of.cwiseAbs().maxCoeff();
    double scaled = double(ratio.limb[0]);
    return std::ldexp(scaled, X::components * mct::FloatTraits<typename X::Scalar>::p);
  }
  /// n^2 roundings of a few u^N each are far below this, one component too few far above.
  static constexpr double limit = 64.0 * n * n;
};
#ifdef MCT_EXHAUSTIVE
using Scalars = ::testing::Types<mct::f64x2, mct::f64x3, mct::f64x4, mct::f32x2>;
#else
using Scalars = ::testing::Types<mct::f64x2>;  // 20 s of compilation each
#endif
TYPED_TEST_SUITE(EigenTest, Scalars);

TYPED_TEST(EigenTest, LuGivesTheMatrixBack) {
  using F = EigenTest<TypeParam>;
  for (const auto& a : {F::hilbert(), F::random()}) {
    const Eigen::PartialPivLU<typename F::Matrix> partial(a);
    EXPECT_LT(F::relative(partial.reconstructedMatrix() - a, a), F::limit);
    const Eigen::FullPivLU<typename F::Matrix> full(a);
    EXPECT_LT(F::relative(full.reconstructedMatrix() - a, a), F::limit);
    const typename F::Matrix b = F::random();
    const typename F::Matrix x = partial.solve(b);
    EXPECT_LT(F::relative(a * x - b, x), F::limit);  // a has entries up to 1
  }
}

TYPED_TEST(EigenTest, QrIsOrthogonalAndGivesTheMatrixBack) {
  using F = EigenTest<TypeParam>;
  using Dense = typename F::Matrix;
  const Dense identity = Dense::Identity(F::n, F::n);
  for (const auto& a : {F::hilbert(), F::random()}) {
    const Eigen::HouseholderQR<Dense> qr(a);
    const Dense q = qr.householderQ();
    const Dense r = qr.matrixQR().template triangularView<Eigen::Upper>();
    EXPECT_LT(F::relative(q * r - a, a), F::limit);
    EXPECT_LT(F::relative(q.transpose() * q - identity, identity), F::limit);
    const Eigen::ColPivHouseholderQR<Dense> pivoted(a);
    const Dense pq = pivoted.householderQ();
    const Dense pr = pivoted.matrixQR().template triangularView<Eigen::Upper>();
    const Dense permuted = a * pivoted.colsPermutation();
    EXPECT_LT(F::relative(pq * pr - permuted, a), F::limit);
  }
}

TYPED_TEST(EigenTest, CholeskyOfHilbert) {
  using F = EigenTest<TypeParam>;
  using Dense = typename F::Matrix;
  if (std::is_same_v<TypeParam, mct::f32x2>) GTEST_SKIP() << "48 bits do not keep it definite";
  const Dense a = F::hilbert();
  const Eigen::LLT<Dense> llt(a);
  ASSERT_EQ(llt.info(), Eigen::Success);
  EXPECT_LT(F::relative(llt.reconstructedMatrix() - a, a), F::limit);
  const Eigen::LDLT<Dense> ldlt(a);
  ASSERT_EQ(ldlt.info(), Eigen::Success);
  EXPECT_LT(F::relative(ldlt.reconstructedMatrix() - a, a), F::limit);
}

TYPED_TEST(EigenTest, SingularValues) {
  using F = EigenTest<TypeParam>;
  using Dense = typename F::Matrix;
  if (std::is_same_v<TypeParam, mct::f32x2>) GTEST_SKIP() << "see interop/eigen.hpp";
  for (const auto& a : {F::hilbert(), F::random()}) {
    const Eigen::JacobiSVD<Dense> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Dense back =
        svd.matrixU() * svd.singularValues().asDiagonal() * svd.matrixV().transpose();
    EXPECT_LT(F::relative(back - a, a), F::limit);
  }
}

TYPED_TEST(EigenTest, SelfAdjointEigenvalues) {
  using F = EigenTest<TypeParam>;
  using Dense = typename F::Matrix;
  const Dense random = F::random();
  const Dense symmetric = random + random.transpose();
  for (const Dense& a : {F::hilbert(), symmetric}) {
    const Eigen::SelfAdjointEigenSolver<Dense> solver(a);
    ASSERT_EQ(solver.info(), Eigen::Success);
    const Dense v = solver.eigenvectors();
    const Dense residual = a * v - v * solver.eigenvalues().asDiagonal();
    EXPECT_LT(F::relative(residual, a), F::limit);
  }
}

/// det(H_12) = 2.6447809345 10^-78 (OEIS A005249: its reciprocal is an integer): a number that
/// doubles lose completely.
TEST(EigenDeterminant, OfHilbert) {
  const auto h = EigenTest<mct::f64x4>::hilbert();
  const mct::f64x4 reciprocal = 1 / h.determinant();
  const mct::f64x4 exact = []() {
    // prod_{k=1}^{11} (2k+1) binom(2k, k)^2
    mct::f64x4 product = 1;
    mct::f64x4 binomial = 1;
    for (int k = 1; k < 12; ++k) {
      binomial = binomial * (2 * (2 * k - 1)) / k;
      product = product * (2 * k + 1) * binomial * binomial;
    }
    return product;
  }();
  EXPECT_LT(abs(reciprocal / exact - 1), mct::f64x4(0x1p-140));  // condition number 2^54
}

}  // namespace
