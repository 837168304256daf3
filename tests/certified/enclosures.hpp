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

/// A function of MPFR, and its result.
using Oracle = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
inline Truth of(Oracle f, const Truth& x) {
  Truth r;
  f(r.get(), x.get(), MPFR_RNDN);
  return r;
}

/// Calls list(name, log2 of the least and largest argument of components T, whether radii are
/// compared with the least possible ones) for the functions of numbers and of tensors.
#define MCT_FOR_EACH_ORACLE(list, T)                                                           \
  list(exp, -60, 10.5, true) list(exp2, -60, 10.5, true) list(expm1, -60, 10.5, true)          \
      list(log, -60, 60, true) list(log2, -60, 60, true) list(log1p, -60, 60, true)            \
          list(cbrt, -60, 60, true) list(sin, -20, 12, false) list(cos, -20, 12, false)        \
              list(tan, -20, 12, false) list(sinh, -60, 10.5, true) list(cosh, -2, 10.5, true) \
                  list(tanh, -60, 4, true) list(asinh, -60, 60, true)                          \
                      list(acosh, -0.5, FloatTraits<T>::emax - 1, true)                        \
                          list(atanh, -60, 0.1, true) list(asin, -60, 0.1, true)               \
                              list(acos, -8, 0.1, true) list(atan, -60, 60, true)              \
                                  list(erf, -60, 2, true)

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
