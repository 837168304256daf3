// Plain doubles in, plain doubles out, but summed in two or three components: dot2, dot3, mm2, mm3.
#include <cmath>
#include <cstdio>
#include <mctensor/mctensor.hpp>

namespace {

/// Vectors whose products cancel: the second half repeats the first with the other sign, but for a
/// small remainder.
std::pair<mct::Tensor<double>, mct::Tensor<double>> cancelling(std::int64_t n, double remainder) {
  const auto x = mct::randn<double>({n}, 1);
  const auto y = mct::randn<double>({n}, 2);
  const auto rest = remainder * mct::randn<double>({n}, 3);
  return {mct::cat<double, 1>({x, x}, 0), mct::cat<double, 1>({y, rest - y}, 0)};
}

double relative_error(double computed, const mct::f64x4& exact) {
  return std::fabs(double((mct::f64x4(computed) - exact) / exact));
}

}  // namespace

int main() {
  const auto [x, y] = cancelling(1000, 1e-12);
  const mct::f64x4 exact = mct::dot(mct::with_components<4>(x), mct::with_components<4>(y)).item();
  const double plain = relative_error(double(mct::dot(x, y).item()), exact);
  const double twofold = relative_error(mct::dot2(x, y), exact);
  const double threefold = relative_error(mct::dot3(x, y), exact);
  std::printf("relative error of x y: dot %.1e, dot2 %.1e, dot3 %.1e\n", plain, twofold, threefold);

  // the same for every element of a product of matrices
  const auto row = x.reshape({1, 2000}), column = y.reshape({2000, 1});
  const double matrix2 = relative_error(mct::mm2(row, column).item(), exact);
  const double matrix3 = relative_error(mct::mm3(row, column).item(), exact);
  std::printf("as matrices:           mm2 %.1e, mm3 %.1e\n", matrix2, matrix3);
  return plain > 1e-10 && twofold < 1e-15 && threefold < 1.2e-16 && matrix2 < 1e-15 &&
                 matrix3 < 1.2e-16
             ? 0
             : 1;
}
