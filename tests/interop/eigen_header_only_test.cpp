// interop/eigen.hpp needs no compiled library: this program is linked without it.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "mctensor/interop/eigen.hpp"

namespace mct {
namespace {

TEST(EigenHeaderOnly, ProductsAndInverses) {
  using Matrix = Eigen::Matrix<f64x2, Eigen::Dynamic, Eigen::Dynamic>;
  Matrix a(20, 20);  // larger than what Eigen multiplies coefficient by coefficient
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j) a(i, j) = f64x2(1) / f64x2(i + j + 1) + f64x2(i == j ? 1 : 0);
  const Matrix error = a * a.inverse() - Matrix::Identity(20, 20);
  EXPECT_LT(double(error.cwiseAbs().maxCoeff()), 0x1p-95);
}

template <class X>
concept Written = requires(std::ostream& out, const X& x) {
  out << x;
};
static_assert(Written<f64x2>, "by Eigen's << of matrices, which finds no header by itself");

}  // namespace
}  // namespace mct
