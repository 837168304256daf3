// mct::half and mct::bfloat16 as component types: their limits, mathematics and transforms.
//
// Error: functions are exact; ldexp and products of the transforms round once where a result is
// subnormal. Domain: every value; NaN, infinities and zeros as in the functions of C. Source: C11,
// 7.12 and annex F, for the functions of float, which holds every short number.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "mctensor/eft/short_float.hpp"
#include "mctensor/eft/value.hpp"

namespace mct {

/// IEEE 754 binary16: 11 bits, largest value 65504, smallest normal 2^-14, smallest subnormal
/// eta = 2^-24. The error of a sum is always a whole multiple of eta. The error of a product is a
/// whole multiple of eta only if the product is 0 or at least 2^-3 in magnitude.
using half = ShortFloat<11, 16>;

/// The upper half of a float: 8 bits, eta = 2^-133, the range of float. A bfloat16 holds the error
/// of a product exactly if the product is 0 or at least 2^-118 in magnitude.
using bfloat16 = ShortFloat<8, 128>;

template <>
inline constexpr bool is_component_v<half> = true;
template <>
inline constexpr bool is_component_v<bfloat16> = true;

/// True for half and bfloat16.
template <class T>
inline constexpr bool is_short_float_v = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

}  // namespace mct

template <int P, int Emax>
class std::numeric_limits<mct::ShortFloat<P, Emax>> {
  using T = mct::ShortFloat<P, Emax>;

 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = false;
#if __cplusplus < 202302L
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = false;
#endif
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr bool is_iec559 = true;  // its arithmetic is IEEE 754; bfloat16 is no interchange
                                           // format
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr int digits = P;
  static constexpr int digits10 = int((P - 1) * 0.30102999566398119521);
  static constexpr int max_digits10 = int(P * 0.30102999566398119521) + 2;
  static constexpr int radix = 2;
  static constexpr int min_exponent = 3 - Emax;
  static constexpr int min_exponent10 = -int((Emax - 2) * 0.30102999566398119521);
  static constexpr int max_exponent = Emax;
  static constexpr int max_exponent10 = int(Emax * 0.30102999566398119521);
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;

  static constexpr T min() noexcept { return T::from_bits(std::uint16_t(1 << (P - 1))); }
  static constexpr T max() noexcept { return T::from_bits(infinity().bits() - 1); }
  static constexpr T lowest() noexcept { return -max(); }
  static constexpr T epsilon() noexcept { return mct::pow2<T>(1 - P); }
  static constexpr T round_error() noexcept { return T(0.5); }
  static constexpr T infinity() noexcept {
    return T::from_bits(std::uint16_t(0x7fff >> (P - 1) << (P - 1)));
  }
  static constexpr T quiet_NaN() noexcept {
    return T::from_bits(std::uint16_t(infinity().bits() | 1 << (P - 2)));
  }
  static constexpr T signaling_NaN() noexcept { return quiet_NaN(); }
  static constexpr T denorm_min() noexcept { return T::from_bits(1); }
};

namespace mct {

/// a b + c with one rounding on all hardware.
template <int P, int Emax>
struct FusedMultiplyAdd<ShortFloat<P, Emax>> {
  using T = ShortFloat<P, Emax>;
  MCT_HD MCT_ALWAYS_INLINE static constexpr T apply(const T& a, const T& b, const T& c) {
    return fma(a, b, c);
  }
};

/// The product of two short floats, and its rounding error, which is exact in double.
template <int P, int Emax>
struct ExactProduct<ShortFloat<P, Emax>> {
  static constexpr bool available = true;
  using T = ShortFloat<P, Emax>;
  MCT_HD MCT_ALWAYS_INLINE static constexpr HiLo<T> apply(const T& a, const T& b) {
    // for half, float suffices: the 22 bits of a product end at 2^-48, far above the underflow of
    // float
    using Wide = std::conditional_t<Emax == 16, float, double>;
    const Wide product = Wide(a) * Wide(b);
    const T hi(product);
    return {hi, T(product - Wide(hi))};
  }
};

inline namespace MCT_ISA_NAMESPACE {

// The functions of <cmath> that expansions need, for generic code that says `using std::ldexp;`.
// Exact, or rounded once where the result is subnormal.
template <int P, int Emax>
MCT_HD inline ShortFloat<P, Emax> ldexp(ShortFloat<P, Emax> x, int exponent) {
  return ShortFloat<P, Emax>(std::ldexp(double(x), exponent));
}
template <int P, int Emax>
MCT_HD inline ShortFloat<P, Emax> frexp(ShortFloat<P, Emax> x, int* exponent) {
  return ShortFloat<P, Emax>(std::frexp(float(x), exponent));
}
template <int P, int Emax>
MCT_HD inline int ilogb(ShortFloat<P, Emax> x) {
  return std::ilogb(float(x));
}
template <int P, int Emax>
MCT_HD inline ShortFloat<P, Emax> trunc(ShortFloat<P, Emax> x) {
  return ShortFloat<P, Emax>(std::trunc(float(x)));
}
template <int P, int Emax>
MCT_HD inline ShortFloat<P, Emax> floor(ShortFloat<P, Emax> x) {
  return ShortFloat<P, Emax>(std::floor(float(x)));
}
template <int P, int Emax>
MCT_HD inline ShortFloat<P, Emax> ceil(ShortFloat<P, Emax> x) {
  return ShortFloat<P, Emax>(std::ceil(float(x)));
}
template <int P, int Emax>
MCT_HD inline ShortFloat<P, Emax> round(ShortFloat<P, Emax> x) {
  return ShortFloat<P, Emax>(std::round(float(x)));
}
template <int P, int Emax>
MCT_HD constexpr ShortFloat<P, Emax> nextafter(ShortFloat<P, Emax> x, ShortFloat<P, Emax> to) {
  using T = ShortFloat<P, Emax>;
  if (x != x || to != to) return x + to;
  if (x == to) return to;
  if (x == 0) return T::from_bits(std::uint16_t(to < 0 ? 0x8001 : 1));
  return T::from_bits(std::uint16_t((to > x) == (x > 0) ? x.bits() + 1 : x.bits() - 1));
}
template <int P, int Emax>
MCT_HD inline ShortFloat<P, Emax> fmod(ShortFloat<P, Emax> x, ShortFloat<P, Emax> y) {
  return ShortFloat<P, Emax>(std::fmod(float(x), float(y)));
}
template <int P, int Emax>
MCT_HD constexpr ShortFloat<P, Emax> fabs(ShortFloat<P, Emax> x) {
  return abs(x);
}
template <int P, int Emax>
MCT_HD constexpr bool signbit(ShortFloat<P, Emax> x) {
  return (x.bits() & 0x8000) != 0;
}
template <int P, int Emax>
MCT_HD constexpr ShortFloat<P, Emax> copysign(ShortFloat<P, Emax> x, ShortFloat<P, Emax> sign) {
  return signbit(x) == signbit(sign) ? x : -x;
}
template <int P, int Emax>
MCT_HD constexpr bool isnan(ShortFloat<P, Emax> x) {
  return x != x;
}
template <int P, int Emax>
MCT_HD constexpr bool isfinite(ShortFloat<P, Emax> x) {
  return x - x == 0;
}
template <int P, int Emax>
MCT_HD constexpr bool isinf(ShortFloat<P, Emax> x) {
  return x == x && x - x != 0;
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
