// Random numbers with a radius, and whether a result encloses what MPFR says.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "mctensor/certified/all.hpp"
#include "validation/core/big.hpp"

namespace mct::certified_test {

/// 2200 bits: the sum of a value and a part of its radius is exact.
using Truth = validation::MpfrNumber<2200>;

/// Draws values of every size from 2^low to 2^high, zero and powers of two among them, and radii
/// from nothing to more than the value.
template <class T, int N>
class Draw {
 public:
  Draw(std::uint64_t seed, double low, double high) : random_(seed), low_(low), high_(high) {}

  double uniform(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  Expansion<T, N> value() {
    const int kind = int(uniform(0, 16));
    if (kind == 0) return Expansion<T, N>(T(0));
    T size = T(std::exp2(uniform(low_, high_)));
    if (kind == 1) size = std::exp2(std::floor(std::log2(size)));
    if (uniform(0, 1) < 0.5) size = -size;
    T limbs[N] = {};
    for (T& limb : limbs) {
      limb = size;
      size *= FloatTraits<T>::u * T(uniform(-1, 1)) / 2;
      if (kind == 1) break;
    }
    return renormalize<N>(limbs);
  }
  T radius_for(const Expansion<T, N>& x) {
    const double kind = uniform(0, 8);
    if (kind < 1) return T(0);
    if (kind < 2) return T(std::exp2(uniform(low_, high_)));
    if (kind < 3) return FloatTraits<T>::eta * T(std::floor(uniform(0, 9)));
    return std::fabs(x.limb[0]) * T(std::exp2(uniform(-FloatTraits<T>::p * N - 4.0, 0.5)));
  }
  Certified<T, N> operator()() {
    const Expansion<T, N> x = value();
    return {x, radius_for(x)};
  }

 private:
  std::mt19937_64 random_;
  double low_, high_;
};

/// The number at `part`, -1 to 1, of the radius.
template <class T, int N>
Truth at(const Certified<T, N>& x, double part) {
  return Truth(x.value()) + Truth(double(x.radius())) * Truth(part);
}

/// Whether the enclosure holds the number. A truth that is NaN is held by what knows nothing.
template <class T, int N>
bool holds(const Certified<T, N>& result, const Truth& truth) {
  if (std::isinf(result.radius())) return true;
  if (!mpfr_number_p(truth.get())) return false;
  return abs(truth - Truth(result.value())) <= Truth(double(result.radius()));
}

}  // namespace mct::certified_test
