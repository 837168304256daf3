// ScaledExpansion<T, N>: an expansion whose lower limbs are kept multiplied by powers of two, so
// that a format of short range does not lose them to underflow.
#pragma once

#include <compare>
#include <type_traits>

#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/convert.hpp"
#include "mctensor/expansion/operators.hpp"
#include "mctensor/expansion/sqrt.hpp"

namespace mct {

/// The sum of limb[i] 2^(-i K), i = 0..N-1, for N = 1..3 limbs of half, bfloat16 or float; K = p
/// unless stated otherwise. All limbs of a value then have about the same exponent.
///
/// A value x is kept with N p bits, u^N |x|, wherever limb[0] is a normal number: as half pair 22
/// bits for 2^-14 <= |x| < 65520, where Expansion<half, 2> has them from 2^-3 on only. Below, and
/// in general, the resolution is eta_N = eta 2^(-(N-1) K), eta the smallest subnormal of T (half:
/// eta_2 = 2^-35, eta_3 = 2^-46).
///
/// Invariant: as for Expansion, on the values limb[i] 2^(-i K): limb[0] is the whole value rounded
/// to T, which is 0 below eta / 2 while the others go on. Special values likewise live in limb[0],
/// the others are zero; overflow gives an infinity.
///
/// Every operation computes in Expansion<double, N>, which holds the operands exactly, and rounds
/// to N limbs: error <= (1 + 2^-20) u^N |result| + eta_N / 2 for + - * / and sqrt, whatever
/// cancels. In limbs of T each error term would have to be scaled on its own; here the scales are
/// applied once. On a GPU without fast double use Expansion<bfloat16, N>.
template <class T, int N, int K = FloatTraits<T>::p>
struct ScaledExpansion {
  static_assert(is_component_v<T> && !std::is_same_v<T, double>, "half, bfloat16 or float");
  static_assert(N >= 1 && N <= 3 && K >= 0 && K <= FloatTraits<T>::p,
                "1 to 3 limbs; a scale above 2^p could overflow");

  using Exact = Expansion<double, N>;
  static constexpr int components = N;
  static constexpr int scale_exponent = K;

  T limb[N];  ///< limb[i] stands for limb[i] 2^(-i K)

  /// Zero.
  MCT_HD constexpr ScaledExpansion() : limb{} {}
  /// The value of one component, exactly.
  MCT_HD constexpr ScaledExpansion(const T& value)  // NOLINT(google-explicit-constructor)
      : limb{value} {
    for (int i = 1; i < N; ++i) limb[i] = T(0);
  }
  /// Any arithmetic type, rounded to N limbs: error <= (1 + 2^-20) u^N |x| + eta_N / 2.
  template <class S>
  requires(std::is_arithmetic_v<S> && !std::is_same_v<S, T>) MCT_HD MCT_ALWAYS_INLINE
      constexpr explicit ScaledExpansion(S value)
      : ScaledExpansion(Exact(value)) {}
  /// An expansion of doubles, rounded to N limbs with the same bound.
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit ScaledExpansion(Exact rest) : limb{} {
    constexpr double up = pow2<typename Exact::Scalar>(K);
    for (int i = 0; i < N; ++i) {
      limb[i] = T(rest.limb[0]);
      if (!(limb[i] - limb[i] == T(0)) || rest.limb[0] == 0) break;
      rest = detail::scale_limbs(sub(rest, double(limb[i])), up);
    }
  }

  /// The value, exactly.
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator Expansion<double, N>() const {
    double terms[N];
    double scale = 1;
    bool single = true;
    constexpr double down = pow2<typename Exact::Scalar>(-K);
    for (int i = 0; i < N; ++i, scale *= down) {
      terms[i] = double(limb[i]) * scale;
      single = single && (i == 0 || terms[i] == 0);
    }
    if (single) return terms[0];  // keeps infinities and the sign of zero
    if constexpr (N == 2) {
      const auto [hi, lo] = fast_two_sum(terms[0], terms[1]);
      return Exact::from_limbs(hi, lo);
    } else {
      return renormalize<N>(terms);
    }
  }
  /// The value rounded to double: error <= 2^-53 |x|; exact for half with N = 2.
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator double() const {
    return double(Exact(*this));
  }
  /// The value rounded to one component.
  MCT_HD constexpr explicit operator T() const { return limb[0]; }

  MCT_HD MCT_ALWAYS_INLINE constexpr ScaledExpansion operator-() const {
    ScaledExpansion r;
    for (int i = 0; i < N; ++i) r.limb[i] = -limb[i];
    return r;
  }

#define MCT_SCALED_OPERATOR(op)                                                                  \
  MCT_HD MCT_ALWAYS_INLINE friend constexpr ScaledExpansion operator op(                         \
      const ScaledExpansion& x, const ScaledExpansion& y) {                                      \
    return ScaledExpansion(Exact(x) op Exact(y));                                                \
  }                                                                                              \
  MCT_HD MCT_ALWAYS_INLINE constexpr ScaledExpansion& operator op##=(const ScaledExpansion& y) { \
    return *this = *this op y;                                                                   \
  }
  MCT_SCALED_OPERATOR(+)
  MCT_SCALED_OPERATOR(-)
  MCT_SCALED_OPERATOR(*)
  MCT_SCALED_OPERATOR(/)
#undef MCT_SCALED_OPERATOR

  MCT_HD MCT_ALWAYS_INLINE friend ScaledExpansion sqrt(const ScaledExpansion& x) {
    return ScaledExpansion(sqrt(Exact(x)));
  }

  /// As real numbers; NaN is unordered.
  MCT_HD MCT_ALWAYS_INLINE friend constexpr bool operator==(const ScaledExpansion& x,
                                                            const ScaledExpansion& y) {
    return Exact(x) == Exact(y);
  }
  MCT_HD MCT_ALWAYS_INLINE friend constexpr std::partial_ordering operator<=>(
      const ScaledExpansion& x, const ScaledExpansion& y) {
    return Exact(x) <=> Exact(y);
  }
};

}  // namespace mct
