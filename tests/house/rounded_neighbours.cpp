// Compiled with the options that users get, optimized: what rounding two neighbours to float leaves
// is not lost.
//
// GCC 12 makes a vector of both and takes the conversion to float and back for nothing
// (-ftree-slp-vectorize, which -O2 has): the rests are 0 then.
#include <cstdio>

[[gnu::noinline]] static void split(const double* x, float* high, float* low) {
  const float first = float(x[0]);
  const float second = float(x[1]);
  high[0] = first;
  high[1] = second;
  low[0] = float(x[0] - double(first));
  low[1] = float(x[1] - double(second));
}

int main() {
  volatile double third = 1.0 / 3;
  const double x[2] = {third, third / 2};
  float high[2];
  float low[2];
  split(x, high, low);
  for (int i = 0; i < 2; ++i) {
    const double rest = x[i] - (double(high[i]) + double(low[i]));
    if (low[i] != 0 && rest < 1e-15 && rest > -1e-15) continue;
    std::printf("%.17g became %.9g + %.9g\n", x[i], double(high[i]), double(low[i]));
    return 1;
  }
  return 0;
}
