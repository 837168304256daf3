// Power series whose terms have only as many limbs as they need.
#pragma once

#include "mctensor/math/value.hpp"
#include "mctensor/math/wide.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// floor(log2 |x|) of a constant.
template <class S>
constexpr int exponent_of(S x) {
  if (x < 0) x = -x;
  int e = 0;
  for (; x >= 2; x /= 2) ++e;
  for (; x < 1; x *= 2) --e;
  return e;
}

/// The series sum c_i x^i for |x| <= 2^-Step, with an error of about 2^-Bits |c_0|. The sum must be
/// below 1.1 |c_0|.
template <class Series, class S, int Bits, int Step>
struct SeriesPlan {
  static constexpr int p = FloatTraits<S>::p;

  /// A lower bound of the number of bits by which term I lies below the first term.
  template <int I>
  static constexpr int depth = I* Step + exponent_of(constant_limb<Series, S, 0, 0>) -
                               exponent_of(constant_limb<Series, S, I, 0>) - 1;
  /// The number of limbs that term I and all later terms need; 0 if the series may end before term
  /// I.
  template <int I>
  static constexpr int limbs = I > 0 && depth<I> >= Bits ? 0 : (Bits - depth<I> + p - 1) / p;
  /// True if term I exists and is needed.
  template <int I>
  static constexpr bool needs() {
    if constexpr (I < Series::count) {
      return limbs<I> > 0;
    } else {
      return false;
    }
  }
  /// True if the term after I is not needed.
  template <int I>
  static constexpr bool ends_after = depth<I> + Step >= Bits;
};

/// c_I + z (c_{I+Stride} + z (...)) with z = x^Stride, by Horner's rule.
template <class Plan, class Series, int I, int Stride, class V, int M>
MCT_HD MCT_ALWAYS_INLINE constexpr auto series_from(const Expansion<V, M>& z) {
  constexpr int here = Plan::template limbs<I>;
  if constexpr (!Plan::template needs<I + Stride>()) {
    static_assert(I + Stride < Series::count || Plan::template ends_after<I>,
                  "the series is too short");
    return constant<Series, V, here, I>();
  } else {
    const auto inner = series_from<Plan, Series, I + Stride, Stride>(z);
    const auto c = constant<Series, V, here, I>();
    constexpr int next = Plan::template limbs<I + Stride>;
    if constexpr (here == 1) {
      return Expansion<V, 1>(multiply_add(z.limb[0], inner.limb[0], c.limb[0]));
    } else {
      return add_smaller(c, product(leading<(next < M ? next : M)>(z), inner));
    }
  }
}

/// The series in x, |x| <= 2^-Step, with an error of about 2^-Bits |c_0|. If many terms need
/// several limbs, even and odd terms are summed separately, because the processor can then compute
/// both sums at the same time.
template <class Series, int Bits, int Step, class V, int M>
MCT_HD MCT_ALWAYS_INLINE constexpr auto series(const Expansion<V, M>& x) {
  using Plan = SeriesPlan<Series, scalar_t<V>, Bits, Step>;
  if constexpr (Plan::template limbs<3> < 2) {
    return series_from<Plan, Series, 0, 1>(x);
  } else {
    constexpr int next = Plan::template limbs<1>;
    const auto z = mul_limbs(x, x);
    const auto even = series_from<Plan, Series, 0, 2>(z);
    const auto odd = series_from<Plan, Series, 1, 2>(z);
    return add_smaller(even, product(leading<(next < M ? next : M)>(x), odd));
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
