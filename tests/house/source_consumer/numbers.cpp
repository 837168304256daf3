// 1 / 3 in two doubles, from headers alone: the option that forbids contraction has come with the
// target.
#include <mctensor/version.h>
#include <cstdio>
#include <mctensor/expansion/all.hpp>

int main() {
  const mct::f64x2 third = mct::f64x2(1) / mct::f64x2(3);
  const mct::f64x2 rest = third * mct::f64x2(3) - mct::f64x2(1);
  std::printf("MCTensor %s: 3 (1/3) - 1 = %g\n", MCT_VERSION, double(rest));
  return double(rest) < 1e-31 && double(rest) > -1e-31 ? 0 : 1;
}
