// MPFR as the oracle for decimal input and output, and random expansions to try it on.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "mctensor/expansion/expansion.hpp"

namespace mct::test {

/// An MPFR number. 4096 bits hold every sum of limbs exactly.
class Real {
 public:
  explicit Real(mpfr_prec_t bits = 4096) {
    mpfr_init2(value_, bits);
    mpfr_set_zero(value_, 1);
  }
  Real(const Real& other) : Real(mpfr_get_prec(other.value_)) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Real& operator=(const Real&) = delete;
  ~Real() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }

  std::string printf(const char* format, int precision) {
    char* text = nullptr;
    mpfr_asprintf(&text, format, precision, value_);
    std::string r = text;
    mpfr_free_str(text);
    return r;
  }

 private:
  mpfr_t value_;
};

template <class T, int N>
Real exact(const Expansion<T, N>& x) {
  Real r;
  for (const T limb : x.limb) mpfr_add_d(r.get(), r.get(), double(limb), MPFR_RNDN);
  return r;
}

/// limb i = the rest rounded to nearest even.
template <class X>
X nearest_limbs(Real rest) {
  using T = typename X::value_component;
  X x;
  for (int i = 0; i < X::components; ++i) {
    T limb;
    if constexpr (std::is_same_v<T, float>) {
      limb = mpfr_get_flt(rest.get(), MPFR_RNDN);
    } else {
      limb = mpfr_get_d(rest.get(), MPFR_RNDN);
    }
    if (i == 0 || limb != 0) x.limb[i] = limb;
    if (!std::isfinite(limb)) break;
    mpfr_sub_d(rest.get(), rest.get(), double(limb), MPFR_RNDN);
  }
  return x;
}

template <class X>
X oracle_from_string(const std::string& text, mpfr_prec_t bits = 4096) {
  Real value(bits);
  mpfr_set_str(value.get(), text.c_str(), 0, MPFR_RNDN);
  return nearest_limbs<X>(value);
}

/// A decimal of so many digits next to x, rounded as told: "-123e-45".
inline std::string decimal_near(Real& x, int digits, mpfr_rnd_t rounding) {
  mpfr_exp_t exponent;
  char* text = mpfr_get_str(nullptr, &exponent, 10, std::size_t(digits), x.get(), rounding);
  const std::string r = std::string(text) + "e" + std::to_string(exponent - digits);
  mpfr_free_str(text);
  return r;
}

/// All digits of x, which has at most 2500 of them, as "0.123e45".
inline std::string all_digits(Real& x) {
  const std::string text = decimal_near(x, 2500, MPFR_RNDN);
  const std::size_t sign = text[0] == '-' ? 1 : 0;
  const std::size_t e = text.find('e');
  const std::string digits = text.substr(sign, e - sign);
  return text.substr(0, sign) + "0." + digits.substr(0, digits.find_last_not_of('0') + 1) + "e" +
         std::to_string(std::stoi(text.substr(e + 1)) + 2500);
}

template <class T>
bool same_bits(T a, T b) {
  return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
}

template <class T, int N>
bool same_limbs(const Expansion<T, N>& a, const Expansion<T, N>& b) {
  for (int i = 0; i < N; ++i)
    if (!same_bits(a.limb[i], b.limb[i])) return false;
  return true;
}

using Random = std::mt19937_64;

inline int uniform(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

/// A random normalized expansion: any exponent from the subnormals to the largest, short and full
/// mantissas, limbs adjacent, with gaps, at the tie (where another limb sequence has the same sum)
/// or zero.
template <class X>
X random_expansion(Random& random) {
  using T = typename X::value_component;
  using Traits = FloatTraits<T>;
  X x;
  int exponent = uniform(random, Traits::emin, Traits::emax - 1);
  for (int i = 0; i < X::components; ++i) {
    std::uint64_t mantissa = random() >> (64 - Traits::p);
    if (uniform(random, 0, 3) == 0) mantissa &= ~std::uint64_t(0) << uniform(random, 0, Traits::p);
    mantissa |= std::uint64_t(1) << (Traits::p - 1);
    T limb = std::ldexp(T(mantissa), exponent - Traits::p + 1);
    if (!std::isfinite(limb)) limb = Traits::max;
    x.limb[i] = random() & 1 ? limb : -limb;
    if (limb == 0 || uniform(random, 0, 9) == 0) break;
    std::frexp(limb, &exponent);  // limb in [2^(exponent - 1), 2^exponent)
    const int half_ulp = std::max(exponent - Traits::p, Traits::emin) - 1;
    const int kind = uniform(random, 0, 9);
    if (kind == 0 && i + 1 < X::components) {
      x.limb[i + 1] = std::ldexp(random() & 1 ? T(1) : T(-1), half_ulp);
      break;
    }
    exponent = half_ulp - 1 -
               (kind < 6   ? 0
                : kind < 8 ? uniform(random, 0, 9)
                           : uniform(random, 0, 900));
  }
  return x;
}

}  // namespace mct::test
