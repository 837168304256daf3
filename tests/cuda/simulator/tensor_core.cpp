#include "tests/cuda/simulator/tensor_core.hpp"

#include <cmath>
#include <limits>

namespace mct::cuda {
namespace {

/// Bits behind the point of the largest term that an H100 keeps in a sum of products.
constexpr int kept_bits = 25;

double cut_off(double x, double unit) { return std::trunc(x / unit) * unit; }

}  // namespace

float tensor_core_sum(float c, const float (&a)[16], const float (&b)[16], TensorCore how) {
  double exact = c;
  double largest = std::fabs(double(c));
  for (int k = 0; k < 16; ++k) {
    const double product = double(a[k]) * double(b[k]);
    exact += product;
    largest = std::fmax(largest, std::fabs(product));
  }
  if (how == TensorCore::rounded || !std::isfinite(exact) || largest == 0) return float(exact);
  const double unit = std::ldexp(1.0, std::ilogb(largest) - kept_bits);
  double sum = cut_off(c, unit);
  for (int k = 0; k < 16; ++k) sum += cut_off(double(a[k]) * double(b[k]), unit);
  const auto rounded = float(sum);
  return std::fabs(double(rounded)) > std::fabs(sum) ? std::nextafter(rounded, 0.0F) : rounded;
}

}  // namespace mct::cuda
