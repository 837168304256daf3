// The vectors that every implementation works on: contiguous limbs, fixed seed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "mctensor/expansion/arithmetic.hpp"
#include "validation/core/real.hpp"

namespace mct::bench {

inline constexpr std::size_t length = 4096;

/// `length` values of N random limbs each, between -2 and 2.
template <class T, int N>
std::vector<Expansion<T, N>> random_vector(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Expansion<T, N>> v(length);
  for (auto& x : v) {
    T terms[N];
    double scale = 1.75;
    for (T& term : terms) {
      term = T(scale * uniform(random));
      scale *= double(FloatTraits<T>::u) / 2;
    }
    x = renormalize<N>(terms);
  }
  return v;
}

/// The operands of both kernels: dot(x, y), and y += x[0] x.
template <class T, int N>
struct Operands {
  std::vector<Expansion<T, N>> x = random_vector<T, N>(1);
  std::vector<Expansion<T, N>> y = random_vector<T, N>(2);

  static const Operands& get() {
    static const Operands operands;
    return operands;
  }

  /// log2 of |value - dot(x, y)| / sum |x_i y_i|, value the exact sum of `count` doubles.
  double dot_error_log2(const double* value, int count) const {
    validation::Real sum(4000), magnitude(4000), a, b, product(2000), result(4000);
    mpfr_set_zero(sum.get(), 1);
    mpfr_set_zero(magnitude.get(), 1);
    for (std::size_t i = 0; i < length; ++i) {
      a.set_exact(x[i]);
      b.set_exact(y[i]);
      mpfr_mul(product.get(), a.get(), b.get(), MPFR_RNDN);
      mpfr_add(sum.get(), sum.get(), product.get(), MPFR_RNDN);
      mpfr_abs(product.get(), product.get(), MPFR_RNDN);
      mpfr_add(magnitude.get(), magnitude.get(), product.get(), MPFR_RNDN);
    }
    mpfr_set_zero(result.get(), 1);
    for (int i = 0; i < count; ++i) mpfr_add_d(result.get(), result.get(), value[i], MPFR_RNDN);
    mpfr_sub(result.get(), result.get(), sum.get(), MPFR_RNDN);
    mpfr_div(result.get(), result.get(), magnitude.get(), MPFR_RNDN);
    if (!mpfr_number_p(result.get())) return INFINITY;
    if (mpfr_zero_p(result.get())) return -INFINITY;
    return double(mpfr_get_exp(result.get()));
  }
};

}  // namespace mct::bench
