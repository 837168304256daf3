#include "tests/cuda/simulator/tensor_core.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace mct::cuda {
namespace {

/// x = significand 2^exponent with 1 <= |significand| < 2, less if x is subnormal in float.
struct Parts {
  double significand;
  int exponent;

  explicit Parts(float x) {
    const int least = std::numeric_limits<float>::min_exponent - 1;
    exponent = x == 0 ? least : std::max(std::ilogb(x), least);
    significand = std::ldexp(double(x), -exponent);
  }
};

/// What a term without a value counts as when the largest exponent is sought.
constexpr int no_exponent = -999;

/// Of a block of products: the terms are aligned to the largest exponent, that of a product being
/// the sum of the factors' exponents, and cut off `fraction` bits behind the point; what they sum
/// to, exactly, is cut off to a float.
float sum_of_block(float c, const float* a, const float* b, int count, int fraction) {
  double exact = c;
  double significands[17];
  int exponents[17];
  for (int k = 0; k < count; ++k) {
    exact += double(a[k]) * double(b[k]);
    const Parts x(a[k]);
    const Parts y(b[k]);
    significands[k] = x.significand * y.significand;
    exponents[k] = significands[k] == 0 ? no_exponent : x.exponent + y.exponent;
  }
  if (!std::isfinite(exact)) return float(exact);
  const Parts z(c);
  significands[count] = z.significand;
  exponents[count] = z.significand == 0 ? no_exponent : z.exponent;
  const int largest = *std::max_element(exponents, exponents + count + 1);
  double sum = 0;  // in units of the last bit kept: integers
  for (int k = 0; k <= count; ++k)
    sum += std::trunc(std::ldexp(significands[k], exponents[k] - largest + fraction));
  const double value = sum == 0 ? 0 : std::ldexp(sum, largest - fraction);
  const auto rounded = float(value);
  if (std::fabs(value) >= 0x1p128) return rounded;  // an infinity
  return std::fabs(double(rounded)) > std::fabs(value) ? std::nextafter(rounded, 0.0F) : rounded;
}

}  // namespace

float tensor_core_sum(float c, const float (&a)[16], const float (&b)[16], TensorCore how) {
  switch (how) {
    case TensorCore::ampere:
      return sum_of_block(sum_of_block(c, a, b, 8, 24), a + 8, b + 8, 8, 24);
    case TensorCore::hopper:
      return sum_of_block(c, a, b, 16, 25);
    default: {
      double sum = c;
      for (int k = 0; k < 16; ++k) sum += double(a[k]) * double(b[k]);
      return float(sum);
    }
  }
}

}  // namespace mct::cuda
