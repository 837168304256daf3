#include "tests/cuda/simulator/tensor_core.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace mct::cuda {
namespace {

/// x = significand 2^(exponent - 23), the significand with its leading bit, 0 or below 2^23 if x is
/// subnormal.
struct Parts {
  std::int64_t significand;
  int exponent;

  explicit Parts(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const int biased = int(bits >> 23 & 0xff);
    const auto size = std::int64_t(bits & 0x7fffff) | (biased == 0 ? 0 : 0x800000);
    significand = x < 0 ? -size : size;
    exponent = std::max(biased, 1) - 127;
  }
};

/// x 2^shift, cut off towards zero.
std::int64_t shifted(std::int64_t x, int shift) {
  if (shift >= 0) return x * (std::int64_t(1) << shift);
  return shift < -62 ? 0 : x / (std::int64_t(1) << -shift);
}

/// What a term without a value counts as when the largest exponent is sought.
constexpr int no_exponent = -999;

/// Of a block of products: the terms are aligned to the largest exponent, that of a product being
/// the sum of the factors' exponents, and cut off `fraction` bits after the point; what they sum
/// to, exactly, is cut off to a float.
float sum_of_block(float c, const float* a, const float* b, int count, int fraction) {
  double exact = c;
  std::int64_t significands[17];  // in units of 2^-23
  int exponents[17];
  int largest = no_exponent;
  const auto add_term = [&](int k, std::int64_t significand, int exponent) {
    significands[k] = significand;
    exponents[k] = significand == 0 ? no_exponent : exponent;
    largest = std::max(largest, exponents[k]);
  };
  for (int k = 0; k < count; ++k) {
    exact += double(a[k]) * double(b[k]);
    const Parts x(a[k]);
    const Parts y(b[k]);
    add_term(k, x.significand * y.significand >> 23, x.exponent + y.exponent);  // bits of bfloat16
  }
  if (!std::isfinite(exact)) return float(exact);
  const Parts z(c);
  add_term(count, z.significand, z.exponent);
  std::int64_t sum = 0;  // in units of the last bit kept
  for (int k = 0; k <= count; ++k)
    sum += shifted(significands[k], exponents[k] - largest + fraction - 23);
  const double value = sum == 0 ? 0 : std::ldexp(double(sum), largest - fraction);
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
