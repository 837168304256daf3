// Operands of the kernels of instructions.cu: how many results each of their threads writes.
#pragma once

namespace mct::cuda {

struct OfIntegers {
  static constexpr int threads = 32, results = 51;
  const int* in;
  long long* out;
};
struct OfDoubles {
  static constexpr int threads = 32, results = 58;
  const double* in;
  double* out;
};
struct OfFloats {
  static constexpr int threads = 32, results = 52;
  const float* in;
  float* out;
};
struct OfFunctions {
  static constexpr int threads = 32, results = 21;
  const double* in;
  double* out;
};
struct OfAssembly {
  static constexpr int threads = 32, results = 40;
  const int* in;
  long long* out;
};
struct OfMatrices {
  static constexpr int threads = 32, results = 13;
  const int* in;
  int* out;
};
struct OfWarps {
  static constexpr int threads = 64, results = 17;
  int* in;
  int* out;
};

}  // namespace mct::cuda
