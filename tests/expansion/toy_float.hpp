// ToyFloat<P>: a floating-point number of P bits, so few that a test can try all of them.
//
// Error: every operation is rounded once, to nearest even. Domain: exponents of a double; tests
// keep away from their ends. Source: Figueroa 1995 (a double holds more than 2 P + 2 bits, so
// rounding its result again is harmless); Boldo, Melquiond 2008 for fma.
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

#include "mctensor/expansion/arithmetic.hpp"

namespace toy {

template <int P>
class ToyFloat {
  static_assert(P >= 2 && P <= 20);

 public:
  ToyFloat() = default;
  constexpr ToyFloat(int value) : ToyFloat(double(value)) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit ToyFloat(double value) : value_(round(value)) {}
  constexpr explicit operator double() const { return value_; }

  constexpr ToyFloat operator-() const { return ToyFloat(-value_); }
#define MCT_TOY_OPERATOR(op)                                                    \
  friend constexpr ToyFloat operator op(const ToyFloat& a, const ToyFloat& b) { \
    return ToyFloat(a.value_ op b.value_);                                      \
  }                                                                             \
  constexpr ToyFloat& operator op##=(const ToyFloat& b) { return *this = *this op b; }
  MCT_TOY_OPERATOR(+)
  MCT_TOY_OPERATOR(-)
  MCT_TOY_OPERATOR(*)
  MCT_TOY_OPERATOR(/)
#undef MCT_TOY_OPERATOR
  friend constexpr bool operator==(const ToyFloat& a, const ToyFloat& b) {
    return a.value_ == b.value_;
  }
  friend constexpr std::partial_ordering operator<=>(const ToyFloat& a, const ToyFloat& b) {
    return a.value_ <=> b.value_;
  }
  /// The bits that both have: division takes the exponent of a number with it.
  friend constexpr ToyFloat operator&(const ToyFloat& a, const ToyFloat& b) {
    return ToyFloat(std::bit_cast<double>(std::bit_cast<std::uint64_t>(a.value_) &
                                          std::bit_cast<std::uint64_t>(b.value_)));
  }

  friend constexpr ToyFloat abs(const ToyFloat& a) { return a < 0 ? -a : a; }
  friend ToyFloat sqrt(const ToyFloat& a) { return ToyFloat(std::sqrt(a.value_)); }
  friend int ilogb(const ToyFloat& a) { return std::ilogb(a.value_); }
  friend ToyFloat ldexp(const ToyFloat& a, int exponent) {
    return ToyFloat(std::ldexp(a.value_, exponent));
  }

 private:
  static constexpr double round(double value) {
    constexpr int dropped = 53 - P;
    std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    bits += (std::uint64_t(1) << (dropped - 1)) - 1 + (bits >> dropped & 1);
    return std::bit_cast<double>(bits >> dropped << dropped);
  }

  double value_;
};

}  // namespace toy

template <int P>
class std::numeric_limits<toy::ToyFloat<P>> : public std::numeric_limits<double> {
  using T = toy::ToyFloat<P>;

 public:
  static constexpr int digits = P;
  static constexpr T max() noexcept { return T(0x1p1023 * (2 - 2.0 / (1 << P))); }
  static constexpr T infinity() noexcept { return T(std::numeric_limits<double>::infinity()); }
  static constexpr T quiet_NaN() noexcept { return T(std::numeric_limits<double>::quiet_NaN()); }
  static constexpr T denorm_min() noexcept { return T(0x1p-1021 / (1 << P)); }
};

namespace mct {

template <int P>
inline constexpr bool is_component_v<toy::ToyFloat<P>> = true;

template <int P>
struct FusedMultiplyAdd<toy::ToyFloat<P>> {
  using T = toy::ToyFloat<P>;
  static constexpr T apply(const T& a, const T& b, const T& c) {
    return T(detail::add_to_odd(double(a) * double(b), double(c)));
  }
};

/// The product is exact in a double.
template <int P>
struct ExactProduct<toy::ToyFloat<P>> {
  static constexpr bool available = true;
  using T = toy::ToyFloat<P>;
  static constexpr HiLo<T> apply(const T& a, const T& b) {
    const double product = double(a) * double(b);
    const T hi(product);
    return {hi, T(product - double(hi))};
  }
};

}  // namespace mct
