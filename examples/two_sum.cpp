// What a rounded addition loses, and how two_sum keeps it.
#include <cstdio>
#include <mctensor/mctensor.hpp>

int main() {
  const double a = 1e16;
  const double b = 3.14159;

  // hi is the rounded sum, lo the rounding error: hi + lo == a + b exactly
  const auto [hi, lo] = mct::two_sum(a, b);
  std::printf("a + b            = %.17g\n", a + b);
  std::printf("two_sum: hi + lo = %.17g + %.17g\n", hi, lo);

  // an expansion keeps the error, so that nothing is lost when a goes away again
  const double plain = (a + b) - a;
  const mct::f64x2 kept = (mct::f64x2(a) + b) - a;
  std::printf("(a + b) - a      = %.17g in double, %s in f64x2\n", plain,
              mct::to_string(kept).c_str());
  return kept == b && hi - a + lo == b ? 0 : 1;
}
