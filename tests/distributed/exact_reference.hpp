// Sums of numbers by MPFR with all digits, rounded once, and numbers that are hard to sum.
#pragma once

#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "mctensor/eft/float_traits.hpp"
#include "mctensor/eft/half.hpp"

namespace mct::testing {

/// A number with all digits that sums of doubles may have.
class ExactNumber {
 public:
  ExactNumber() {
    mpfr_init2(value_, 2400);
    mpfr_set_zero(value_, -1);
  }
  ExactNumber(const ExactNumber&) = delete;
  ExactNumber& operator=(const ExactNumber&) = delete;
  ~ExactNumber() { mpfr_clear(value_); }

  void add(double x) { mpfr_add_d(value_, value_, x, MPFR_RNDN); }

  /// Rounded to nearest even in the format of T.
  template <class T>
  T rounded() const {
    using Traits = FloatTraits<T>;
    if (mpfr_nan_p(value_)) return Traits::nan;
    const auto old_min = mpfr_get_emin();
    const auto old_max = mpfr_get_emax();
    mpfr_set_emin(Traits::emin + 1);
    mpfr_set_emax(Traits::emax);
    mpfr_t r;
    mpfr_init2(r, Traits::p);
    int side = mpfr_set(r, value_, MPFR_RNDN);
    side = mpfr_subnormalize(r, side, MPFR_RNDN);
    const T result(mpfr_get_d(r, MPFR_RNDN));
    mpfr_clear(r);
    mpfr_set_emin(old_min);
    mpfr_set_emax(old_max);
    return result;
  }

 private:
  mpfr_t value_;
};

/// The exact sum as limbs, each what the ones before leave, rounded.
template <class T>
std::vector<T> exact_limbs(const std::vector<T>& terms, std::size_t limbs) {
  ExactNumber sum;
  for (const T& x : terms) sum.add(double(x));
  std::vector<T> result(limbs, T(0));
  for (std::size_t k = 0; k < limbs; ++k) {
    const T limb = sum.rounded<T>();
    if (k > 0 && limb == 0) break;
    result[k] = limb;
    if (!(limb - limb == 0) || limb == 0) break;
    sum.add(-double(limb));
  }
  return result;
}

/// The bits of a number.
template <class T>
auto bits_of(const T& x) {
  if constexpr (is_short_float_v<T>)
    return x.bits();
  else
    return std::bit_cast<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>(x);
}

/// Numbers of every kind: of like size, of any exponent, subnormal, the largest, negatives of
/// earlier ones, powers of two that make ties, zeros of both signs, now and then no numbers.
template <class T>
class HardNumbers {
 public:
  explicit HardNumbers(std::uint64_t seed) : generator_(seed) {}

  T next(bool specials) {
    using Traits = FloatTraits<T>;
    const int kind = int(below(specials ? 40 : 36));
    T x;
    if (kind < 12) {
      x = next_alike();
    } else if (kind < 18) {
      const int exponent =
          Traits::emin + int(below(unsigned(Traits::emax - Traits::emin - Traits::p)));
      x = T(std::ldexp(double(below(1u << 7) + 128), exponent));
    } else if (kind < 22 && !earlier_.empty()) {
      x = -earlier_[below(unsigned(earlier_.size()))];
    } else if (kind < 26) {
      x = T(std::ldexp(1.0, int(below(2 * Traits::p + 2)) - Traits::p - 1));
    } else if (kind < 29) {
      x = T(double(Traits::eta) * double(below(9)));
    } else if (kind < 32) {
      x = Traits::max;
    } else if (kind < 36) {
      x = T(0.0);
    } else {
      x = kind < 38 ? Traits::infinity : kind == 38 ? Traits::nan : T(1);
    }
    if (below(2) == 1) x = -x;
    if (x - x == 0) earlier_.push_back(x);
    return x;
  }
  /// Of few magnitudes and with many digits; sums of them are often ties.
  T next_alike() {
    const double x = std::ldexp(double(below(1u << FloatTraits<half>::p)), int(below(6)));
    return T(below(2) == 1 ? x : -x);
  }
  unsigned below(unsigned count) { return unsigned(generator_() % count); }

 private:
  std::mt19937_64 generator_;
  std::vector<T> earlier_;
};

}  // namespace mct::testing
