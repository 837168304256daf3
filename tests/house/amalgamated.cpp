// Five lines with the core in one file: e^(log 2) and 1 / 3 in two doubles, to 30 digits.
#include <mctensor_core.hpp>
int main() {
  const mct::f64x2 two = exp(log(mct::f64x2(2))), rest = mct::f64x2(1) / 3 * 3 - 1;
  return abs(two - 2) < 1e-30 && abs(rest) < 1e-30 && sin(mct::f64x2(0)) == 0 ? 0 : 1;
}
