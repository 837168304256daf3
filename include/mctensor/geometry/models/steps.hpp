// The steps of the exponential map and of the retraction, for models whose coordinates leave the
// range of the type before the length of a step does: the half-space and the hyperboloid.
//
// Error: as reach_of (scalar.hpp); F = e^(s/4) has a few u^N (1 + s). Domain: lengths s >= 0.
// Longer ones are cut. Source: e^s = F^4, and sinh s = cosh s to all digits where a step is far.
#pragma once

#include "mctensor/geometry/vectors.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// The reach of steps that are not far, and F = e^(s/4) of the others.
template <class W>
struct FarReach {
  Reach<W> reach;
  W F;
};

/// The steps of the exponential map. Lengths are cut to 2800 K.
template <class W>
struct ExponentialStep {
  /// True where e^s is near the end of the range.
  MCT_HD static auto is_far(const W& s) {
    using L = limb_t<W>;
    return lead(s) > L(scalar_t<L>(600));
  }
  MCT_HD static Reach<W> reach(const W& s) { return reach_of(s); }
  template <class Mask>
  MCT_HD static FarReach<W> far_reach(const W& s, const Mask& far) {
    using L = limb_t<W>;
    const auto farther = lead(s) > L(scalar_t<L>(2800));
    const W quarter = halved(halved(blend(farther, number<W>(2800), s)));
    const Reach<W> reach = reach_of(W(blend(far, quarter, s)));
    return {reach, reach.sinh + reach.cosh};
  }
};

/// The steps of the retraction. Lengths are cut to 2^(emax - 4) K.
template <class W>
struct AlgebraicStep {
  /// True where sinh s equals cosh s to all digits.
  MCT_HD static auto is_far(const W& s) {
    using L = limb_t<W>;
    return lead(s) > L(pow2<scalar_t<L>>(FloatTraits<L>::emax * 2 / 5));
  }
  MCT_HD static Reach<W> reach(const W& s) { return algebraic_reach_of(s); }
  template <class Mask>
  MCT_HD static FarReach<W> far_reach(const W& s, const Mask& far) {
    using L = limb_t<W>;
    constexpr auto farthest = pow2<scalar_t<L>>(FloatTraits<L>::emax - 4);
    const W one = number<W>(1);
    const W limited = blend(lead(s) > L(farthest), number<W>(farthest), s);
    const W fourth_power = blend(far, doubled(limited), one);
    return {reach(W(blend(far, one, s))), root(root(fourth_power))};
  }
};

/// The same without a cut, of a vector whose length over K may have no number: it is the quotient
/// of scaled_length and K, over `scale`.
template <class W>
struct LongAlgebraicStep : AlgebraicStep<W> {
  W radius, scaled_length;
  Power<limb_t<W>> scale;

  template <class Mask>
  MCT_HD FarReach<W> far_reach(const W& s, const Mask& far) const {
    const W length = over(W(scaled_length * number<W>(0x1p-8)), scale);
    const W square = root(doubled(W(blend(far, length, number<W>(1))))) / root(radius);
    const FarReach<W> near = AlgebraicStep<W>::far_reach(s, far);
    return {near.reach, blend(far, W(number<W>(4) * root(square)), near.F)};
  }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
