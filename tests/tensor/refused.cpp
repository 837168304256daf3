// What does not compile, and says why in one line: CMakeLists.txt compiles it once for each case.
#include "mctensor/linalg/all.hpp"
#include "mctensor/tensor/all.hpp"

namespace mct {

void refused(const Tensor<double, 2>& x, const Tensor<double, 3>& y, const Tensor<float>& z) {
#if MCT_REFUSED == 0
  x + x* x.fc();  // nothing wrong
#elif MCT_REFUSED == 1
  x + y;
#elif MCT_REFUSED == 2
  x < y;
#elif MCT_REFUSED == 3
  mul_add(x, y, x);
#elif MCT_REFUSED == 4
  x += y;
#elif MCT_REFUSED == 5
  matmul(x, y);
#elif MCT_REFUSED == 6
  x* z;
#elif MCT_REFUSED == 7
  x(0) = Expansion<double, 2>(3);
#endif
  (void)x, (void)y, (void)z;
}

}  // namespace mct
