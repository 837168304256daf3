// The divisor by which Adam corrects moments that begin at zero.
#pragma once

#include <cstdint>

#include "mctensor/eft/two_prod.hpp"
#include "mctensor/eft/two_sum.hpp"

namespace mct::optim::inline MCT_ISA_NAMESPACE {

/// 1 - beta^t without cancellation, with the same bits on CPUs and GPUs. beta^t is computed with
/// two components, by repeated squaring. Domain: 0 <= beta < 1, and a whole number t >= 0; above
/// 2^53, t is a whole number rounded to double. Relative error: at most u + 8 u^2 / (1 - beta), u =
/// 2^-53. Source: Knuth, The Art of Computer Programming 2, section 4.6.3, algorithm A.
MCT_HD inline double bias_correction(double beta, double t) {
  using Pair = HiLo<double>;
  const auto product = [](const Pair& a, const Pair& b) -> Pair {
    const Pair p = two_prod(a.hi, b.hi);
    return fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
  };
  Pair power{1, 0}, square{beta, 0};
  for (auto left = std::uint64_t(t); left > 0; left >>= 1) {
    if ((left & 1) != 0) power = product(power, square);
    square = product(square, square);
  }
  const Pair rest = two_sum(1.0, -power.hi);
  return rest.hi + (rest.lo - power.lo);
}

}  // namespace mct::optim::inline MCT_ISA_NAMESPACE
