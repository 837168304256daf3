// Exact sums of limbs as big integers times powers of two, and their rounding to limbs.
#include "exact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace mct::io_detail {

template <class T>
void add_to(Exact& x, T value) {
  if (value == 0) return;
  int exponent;
  std::int64_t mantissa = std::int64_t(ldexp(frexp(value, &exponent), FloatTraits<T>::p));
  // an odd mantissa keeps the integers short where a limb has few bits
  const int zeros = std::countr_zero(std::uint64_t(mantissa));
  mantissa >>= zeros;
  exponent += zeros - FloatTraits<T>::p;
  if (x.mantissa.is_zero()) x.exponent = exponent;
  if (exponent < x.exponent) {
    x.mantissa <<= x.exponent - exponent;
    x.exponent = exponent;
  }
  x.mantissa += Integer(mantissa) << (exponent - x.exponent);
}

template <class T>
Exact exact_sum(const T* limbs, int count) {
  Exact sum;
  for (int i = 0; i < count; ++i) add_to(sum, limbs[i]);
  if (!sum.mantissa.is_zero()) {
    const int zeros = int(lsb(abs(sum.mantissa)));
    if (zeros != 0) {
      sum.mantissa >>= zeros;
      sum.exponent += zeros;
    }
  }
  return sum;
}

int compare_low_bits_to_half(const Integer& value, int bits) {
  if (bits == 0 || !bit_test(value, unsigned(bits - 1))) return -1;
  return int(lsb(value)) < bits - 1 ? 1 : 0;
}

template <class T>
T nearest(const Exact& x, Ties ties) {
  using Traits = FloatTraits<T>;
  if (x.mantissa.is_zero()) return T(0);
  const bool negative = x.mantissa < 0;
  Integer kept = abs(x.mantissa);
  int exponent = x.exponent;
  const int top = int(msb(kept)) + exponent;  // 2^top <= |x| < 2^(top + 1)
  const int unit = std::max(top - (Traits::p - 1), Traits::emin);
  if (unit > exponent) {
    const int dropped = unit - exponent;
    const int side = compare_low_bits_to_half(kept, dropped);
    kept >>= dropped;
    const bool tie_away = ties == Ties::even ? bit_test(kept, 0) : (ties == Ties::up) != negative;
    if (side > 0 || (side == 0 && tie_away)) ++kept;
    exponent = unit;
  }
  T magnitude = 0;
  if (!kept.is_zero()) {
    const bool overflow = int(msb(kept)) + exponent >= Traits::emax;
    magnitude = overflow ? Traits::infinity : ldexp(T(static_cast<std::uint64_t>(kept)), exponent);
  }
  return negative ? -magnitude : magnitude;
}

template <class T>
void nearest_limbs(const Exact& x, T* limbs, int count, Ties ties) {
  std::fill(limbs, limbs + count, T(0));
  Exact rest = x;
  for (int i = 0; i < count && !rest.mantissa.is_zero(); ++i) {
    const T limb = nearest<T>(rest, ties);
    if (i == 0 || limb != 0) limbs[i] = limb;
    if (limb == 0 || isinf(limb)) return;
    add_to(rest, -limb);
  }
}

#define MCT_INSTANTIATE(T)                   \
  template void add_to(Exact&, T);           \
  template Exact exact_sum(const T*, int);   \
  template T nearest<T>(const Exact&, Ties); \
  template void nearest_limbs(const Exact&, T*, int, Ties);
MCT_INSTANTIATE(double)
MCT_INSTANTIATE(float)
MCT_INSTANTIATE(half)
MCT_INSTANTIATE(bfloat16)
#undef MCT_INSTANTIATE

}  // namespace mct::io_detail
