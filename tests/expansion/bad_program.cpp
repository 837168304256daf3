// Programs that must not compile, chosen by WRONG: bad_programs.cmake counts what the compiler
// says.
#include "mctensor/expansion/arithmetic.hpp"

int main() {
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
  x = x / 1.0L;
#elif WRONG == 5
  x = mct::f64x2(1.0L);
#elif WRONG == 6
  return x < other;
#elif WRONG == 7
  (void)max(x, other);
#else
  x = x + 1;
#endif
  return int(x + longer + mct::f64x2(mct::f64x3(other)));
}
