// Matrices of expansions: the product of a Hilbert matrix and its inverse, in double and in f64x3.
#include <cstdio>
#include <mctensor/mctensor.hpp>

namespace {

/// 1 / (i + j + 1): condition number about 1e13 for n = 10.
template <class T, int N>
mct::Tensor<T, N> hilbert(std::int64_t n) {
  const auto i = mct::arange<T, N>(mct::Expansion<T, N>(T(1)), mct::Expansion<T, N>(T(n + 1)),
                                   mct::Expansion<T, N>(T(1)));
  return T(1) / (i.unsqueeze(1) + i.unsqueeze(0) - T(1));
}

/// Newton's iteration for the inverse: X <- X (2 I - A X), which doubles the digits in every step.
template <class T, int N>
mct::Tensor<T, N> inverse(const mct::Tensor<T, N>& a) {
  const auto identity = mct::eye<T, N>(a.size(0));
  auto x = mct::Tensor<T, N>(a.t() / (mct::norm(a) * mct::norm(a)));
  for (int step = 0; step < 120; ++step) x = mct::matmul(x, T(2) * identity - mct::matmul(a, x));
  return x;
}

template <class T, int N>
double largest_residual() {
  const auto a = hilbert<T, N>(10);
  const auto residual = mct::matmul(a, inverse(a)) - mct::eye<T, N>(10);
  return mct::max(mct::abs(residual)).evaluate().item();
}

}  // namespace

int main() {
  const double plain = largest_residual<double, 1>();
  const double accurate = largest_residual<double, 3>();
  std::printf("largest element of A inverse(A) - I, A the Hilbert matrix of order 10\n");
  std::printf("double %.1e\nf64x3  %.1e\n", plain, accurate);

  // one file for NumPy: the planes are a leading axis of size 3
  mct::save_npy("hilbert.npy", hilbert<double, 3>(10));
  const auto read = mct::load_npy<double, 3>("hilbert.npy");
  const bool same = mct::all(read == hilbert<double, 3>(10));
  std::remove("hilbert.npy");
  return same && accurate < 1e-30 && plain > 1e-6 ? 0 : 1;
}
