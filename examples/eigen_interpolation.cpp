// Interpolation by a Gaussian kernel, whose matrix is nearly singular: Eigen's Cholesky
// decomposition gives up in double, and goes through in f64x2 by the kernels of this library.
#include <Eigen/Cholesky>
#include <cmath>
#include <cstdio>
#include <mctensor/interop/eigen_products.hpp>

namespace {

/// exp(-(x_i - x_j)^2 / 2) of points from 0 to 10: smooth functions are well approximated by sums
/// of its columns, and these are nearly dependent.
template <class X>
Eigen::Matrix<X, Eigen::Dynamic, Eigen::Dynamic> kernel(int n) {
  using std::exp;
  Eigen::Matrix<X, Eigen::Dynamic, Eigen::Dynamic> k(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const X distance = X(10) * X(i - j) / X(n - 1);
      k(i, j) = exp(distance * distance * X(-0.5));
    }
  return k;
}

/// The largest error of the weights of a function whose weights are all 1; -1 if the matrix counts
/// as not positive definite.
template <class X>
double largest_error(int n) {
  const auto k = kernel<X>(n);
  using Matrix = std::remove_const_t<decltype(k)>;
  const Eigen::LLT<Matrix> cholesky(k);
  if (cholesky.info() != Eigen::Success) return -1;
  const Matrix ones = Matrix::Ones(n, 2);
  const Matrix weights = cholesky.solve(k * ones);
  return double((weights - ones).cwiseAbs().maxCoeff());
}

}  // namespace

int main() {
  const int n = 40;
  const double plain = largest_error<double>(n);
  const double accurate = largest_error<mct::f64x2>(n);
  std::printf("weights of %d Gaussians, largest error (-1: decomposition failed)\n", n);
  std::printf("double %.1e\nf64x2  %.1e\n", plain, accurate);
  return accurate >= 0 && accurate < 1e-3 && (plain < 0 || plain > 1) ? 0 : 1;
}
