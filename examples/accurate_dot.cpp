// A dot product whose large terms cancel: double loses every digit, two components keep them.
#include <array>
#include <cstddef>
#include <cstdio>
#include <mctensor/mctensor.hpp>

namespace {

template <class X, std::size_t n>
X dot(const std::array<double, n>& x, const std::array<double, n>& y) {
  X sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum = sum + X(x[i]) * X(y[i]);
  return sum;
}

}  // namespace

int main() {
  // The first product is 2^60 - 1, which double rounds to 2^60. Exactly:
  // (2^30 + 1)(2^30 - 1) + 0.75 - 2^60 = -0.25
  const std::array<double, 3> x = {0x1p30 + 1, 0.5, -0x1p30};
  const std::array<double, 3> y = {0x1p30 - 1, 1.5, 0x1p30};

  const double plain = dot<double>(x, y);
  const mct::f64x2 accurate = dot<mct::f64x2>(x, y);
  std::printf("exact  -0.25\n");
  std::printf("double %g\n", plain);
  std::printf("f64x2  %s\n", mct::to_string(accurate).c_str());
  return accurate == -0.25 && plain != -0.25 ? 0 : 1;
}
