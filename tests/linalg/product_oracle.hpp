// Exact inner products by MPFR, for tests of products.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "tests/tensor/tensors.hpp"

namespace mct::test {

/// An exact inner product and the sum of its terms' magnitudes.
class ProductOracle {
 public:
  ProductOracle() { mpfr_inits2(4000, sum_, magnitude_, x_, y_, static_cast<mpfr_ptr>(nullptr)); }
  ~ProductOracle() { mpfr_clears(sum_, magnitude_, x_, y_, static_cast<mpfr_ptr>(nullptr)); }
  ProductOracle(const ProductOracle&) = delete;
  ProductOracle& operator=(const ProductOracle&) = delete;

  void clear() {
    mpfr_set_zero(sum_, 1);
    mpfr_set_zero(magnitude_, 1);
  }
  template <class T, int A, int B>
  void add(const Expansion<T, A>& x, const Expansion<T, B>& y) {
    set(x_, x);
    set(y_, y);
    mpfr_mul(x_, x_, y_, MPFR_RNDN);
    mpfr_add(sum_, sum_, x_, MPFR_RNDN);
    mpfr_abs(x_, x_, MPFR_RNDN);
    mpfr_add(magnitude_, magnitude_, x_, MPFR_RNDN);
  }
  /// |value - sum| / (u^N magnitude); the rounding of a subnormal result is not counted.
  template <class T, int N>
  double error(const Expansion<T, N>& value) {
    set(y_, value);
    mpfr_sub(y_, sum_, y_, MPFR_RNDN);
    mpfr_abs(y_, y_, MPFR_RNDN);
    mpfr_sub_d(y_, y_, double(FloatTraits<T>::eta), MPFR_RNDN);
    if (mpfr_sgn(y_) <= 0) return 0;
    if (mpfr_zero_p(magnitude_) != 0) return std::numeric_limits<double>::infinity();
    mpfr_div(y_, y_, magnitude_, MPFR_RNDU);
    mpfr_mul_2si(y_, y_, long(N) * FloatTraits<T>::p, MPFR_RNDU);
    return mpfr_get_d(y_, MPFR_RNDU);
  }

  /// Errors are to be measured in units of u^N (factor x y + |sum|) instead.
  void set_reference(double factor, double x, double y) {
    mpfr_set_d(magnitude_, factor, MPFR_RNDN);
    mpfr_mul_d(magnitude_, magnitude_, x, MPFR_RNDN);
    mpfr_mul_d(magnitude_, magnitude_, y, MPFR_RNDN);
    mpfr_abs(x_, sum_, MPFR_RNDN);
    mpfr_add(magnitude_, magnitude_, x_, MPFR_RNDN);
  }
  double rounded() const { return mpfr_get_d(sum_, MPFR_RNDN); }

 private:
  template <class T, int N>
  static void set(mpfr_ptr r, const Expansion<T, N>& x) {
    mpfr_set_zero(r, 1);
    for (const T& limb : x.limb) mpfr_add_d(r, r, double(limb), MPFR_RNDN);
  }
  mpfr_t sum_;
  mpfr_t magnitude_;
  mpfr_t x_;
  mpfr_t y_;
};

/// f(oracle, value, i, j) for each element of c = a b.
template <class T, int A, int B, int N, class F>
void for_each_element(const Tensor<T, A>& a, const Tensor<T, B>& b, const Tensor<T, N>& c, F f) {
  ProductOracle oracle;
  for (std::int64_t i = 0; i < a.size(0); ++i) {
    for (std::int64_t j = 0; j < b.size(1); ++j) {
      oracle.clear();
      for (std::int64_t l = 0; l < a.size(1); ++l)
        oracle.add(as_expansion<T, A>(a.at({i, l})), as_expansion<T, B>(b.at({l, j})));
      f(oracle, as_expansion<T, N>(c.at({i, j})), i, j);
    }
  }
}

/// Every second half of a row and column cancels the first, but for the last limbs.
template <class T, int A, int B>
void make_cancelling(const Tensor<T, A>& a, const Tensor<T, B>& b) {
  const std::int64_t half_k = a.size(1) / 2;
  for (std::int64_t l = 0; l < half_k; ++l) {
    a.select(1, half_k + l).copy_(neg(a.select(1, l)));
    b.select(0, half_k + l).copy_(b.select(0, l));
  }
  if (half_k > 0) mul_(b.select(0, 0).plane(B - 1), T(0.5));
}

}  // namespace mct::test
