// A number and its derivative along one direction. Attention that computes with such numbers gives
// the derivatives of its results. A backward pass that computes with them gives the derivatives of
// gradients.
//
// Error: a derivative is rounded like the sums and products of its rule. Where the rule would
// divide by the root of 0, the derivative is 0, because a zero distance has no direction. Scores
// define first derivatives in the same way. Domain: as each function states it. Source: forward
// accumulation.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "mctensor/expansion/value.hpp"
#include "mctensor/math/plain.hpp"

namespace mct {

/// V: double, or SIMD lanes of it.
template <class V>
struct Dual {
  V limb[2];  ///< the number, its derivative

  Dual() = default;
  MCT_HD MCT_ALWAYS_INLINE constexpr Dual(const V& value, const V& derivative)
      : limb{value, derivative} {}
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit Dual(const V& constant) : Dual(constant, V(0.0)) {}
  template <class S>
  requires(std::is_arithmetic_v<S> && !std::is_same_v<S, V>) MCT_HD MCT_ALWAYS_INLINE
      constexpr explicit Dual(S constant)
      : Dual(V(double(constant))) {}
};

/// Formulas treat a Dual as a number of two limbs. They call the functions of this header.
template <class V>
struct IsExpansion<Dual<V>> : std::true_type {};
template <class V>
struct ValueTraits<Dual<V>> {
  using Limb = V;
  static constexpr int limbs = 2;
};

inline namespace MCT_ISA_NAMESPACE {

#define MCT_DUAL     \
  template <class V> \
  MCT_HD MCT_ALWAYS_INLINE constexpr
MCT_DUAL Dual<V> operator-(const Dual<V>& a) { return {V(-a.limb[0]), V(-a.limb[1])}; }
MCT_DUAL Dual<V> operator+(const Dual<V>& a, const Dual<V>& b) {
  return {V(a.limb[0] + b.limb[0]), V(a.limb[1] + b.limb[1])};
}
MCT_DUAL Dual<V> operator-(const Dual<V>& a, const Dual<V>& b) {
  return {V(a.limb[0] - b.limb[0]), V(a.limb[1] - b.limb[1])};
}
MCT_DUAL Dual<V> operator*(const Dual<V>& a, const Dual<V>& b) {
  return {V(a.limb[0] * b.limb[0]), V(a.limb[0] * b.limb[1] + a.limb[1] * b.limb[0])};
}
MCT_DUAL Dual<V> operator/(const Dual<V>& a, const Dual<V>& b) {
  const V quotient = a.limb[0] / b.limb[0];
  return {quotient, V((a.limb[1] - quotient * b.limb[1]) / b.limb[0])};
}
MCT_DUAL auto operator<(const Dual<V>& a, const Dual<V>& b) { return a.limb[0] < b.limb[0]; }
MCT_DUAL auto operator>(const Dual<V>& a, const Dual<V>& b) { return a.limb[0] > b.limb[0]; }
MCT_DUAL auto operator<=(const Dual<V>& a, const Dual<V>& b) { return a.limb[0] <= b.limb[0]; }
MCT_DUAL auto operator==(const Dual<V>& a, const Dual<V>& b) { return a.limb[0] == b.limb[0]; }

namespace detail {

template <class M, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Dual<V> blend(const M& mask, const Dual<V>& a,
                                                 const Dual<V>& b) {
  return {blend(mask, a.limb[0], b.limb[0]), blend(mask, a.limb[1], b.limb[1])};
}

}  // namespace detail

MCT_DUAL Dual<V> mul_add(const Dual<V>& a, const Dual<V>& b, const Dual<V>& c) { return a * b + c; }
MCT_DUAL Dual<V> abs(const Dual<V>& a) { return detail::blend(a.limb[0] < V(0.0), Dual<V>(-a), a); }
MCT_DUAL Dual<V> sqrt(const Dual<V>& a) {
  const V zero(0.0);
  const V root = detail::square_root(a.limb[0]);
  return {root, detail::blend(root > zero, V(V(0.5) * a.limb[1] / root), zero)};
}
MCT_DUAL Dual<V> exp(const Dual<V>& a) {
  using std::exp;
  const V power = exp(a.limb[0]);
  return {power, V(power * a.limb[1])};
}
MCT_DUAL Dual<V> log(const Dual<V>& a) {
  using std::log;
  return {V(log(a.limb[0])), V(a.limb[1] / a.limb[0])};
}
MCT_DUAL Dual<V> log1p(const Dual<V>& a) {
  return {detail::plain_log1p(a.limb[0]), V(a.limb[1] / (V(1.0) + a.limb[0]))};
}
#undef MCT_DUAL

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct

template <class V>
struct std::numeric_limits<mct::Dual<V>> {
  static constexpr mct::Dual<V> infinity() {
    return mct::Dual<V>(std::numeric_limits<V>::infinity());
  }
};
