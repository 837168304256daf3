// Programs that must not compile, chosen by WRONG: bad_programs.cmake counts what the compiler
// says.
#include "mctensor/expansion/arithmetic.hpp"

__extension__ typedef __float128 Quad;

int main() {
  const Quad wide = 1;
  (void)wide;
  mct::f64x2 x(1);
  const mct::f64x3 longer(1);
  const mct::f32x2 other(1);
#if WRONG == 1
  x = x + other;
#elif WRONG == 2
  x += longer;
#elif WRONG == 3
  x *= other;
#elif WRONG == 4
  x = x / wide;
#elif WRONG == 5
  return other < 1.0L;
#elif WRONG == 6
  return x < other;
#elif WRONG == 7
  (void)max(x, other);
#else
  x = x + 1;
#endif
  return int(x + longer + mct::f64x2(mct::f64x3(other)));
}
