// The AdamW update of one register of elements, for every composition. Yu 2024, Alg. 8, 9 and 23.
#pragma once

#include "src/optim/kernels/adamw_table.hpp"
#include "src/optim/kernels/element_random.hpp"
#include "src/tensor/kernels/rounding_lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using optim::Composition;
using optim::LowPart;
using optim::Number;
using optim::Rounding;

/// A register of parameters and their states, as floats. Where the weight is a float, theta is
/// that.
template <class V>
struct AdamWLanes {
  V theta, low, m, v, v_low, v_max;

  MCT_ALWAYS_INLINE static AdamWLanes zeros() {
    const V zero(0.0F);
    return {zero, zero, zero, zero, zero, zero};
  }
};

/// mask ? a : b, lane by lane.
template <class M, class V>
MCT_HD MCT_ALWAYS_INLINE inline AdamWLanes<V> blend_lanes(const M& mask, const AdamWLanes<V>& a,
                                                          const AdamWLanes<V>& b) {
  return {detail::blend(mask, a.theta, b.theta), detail::blend(mask, a.low, b.low),
          detail::blend(mask, a.m, b.m),         detail::blend(mask, a.v, b.v),
          detail::blend(mask, a.v_low, b.v_low), detail::blend(mask, a.v_max, b.v_max)};
}

/// Rare: with AMSGrad and decay in the gradient, where the constants say so.
template <class T, Composition C, bool Strict, bool Rare, class V>
struct AdamWUpdate {
  static constexpr bool rare = Rare;
  static constexpr bool draws = C.is_stochastic();
  static constexpr bool is_stochastic = C.weight_rounding == Rounding::stochastic;
  /// States that are rounded when they are stored, each to T.
  static constexpr bool narrow_states = C.states == Number::narrow;
  using Round = RoundLanes<T, V>;
  using Lanes = AdamWLanes<V>;
  using Constants = optim_detail::AdamWConstants;

  /// Rounds what will be stored.
  MCT_HD MCT_ALWAYS_INLINE static V stored(const V& x) {
    if constexpr (!narrow_states) {
      return Round::nearest(x);
    } else {
      return Round::nearest_number(x);
    }
  }

  /// The same, but what a store cuts off need not be cleared.
  MCT_HD MCT_ALWAYS_INLINE static V to_store(const V& x) {
    if constexpr (!narrow_states) {
      return Round::nearest(x);
    } else {
      return Round::to_store(x);
    }
  }

  /// One operation's result: rounded in strict arithmetic.
  MCT_HD MCT_ALWAYS_INLINE static V r(const V& x) {
    if constexpr (Strict) {
      return Round::nearest(x);
    } else {
      return x;
    }
  }

  /// The update of the parameter; x gets its new states, not rounded yet unless strict.
  MCT_HD MCT_ALWAYS_INLINE static V moments(const Constants& c, const V& raw_gradient, Lanes& x) {
    if constexpr (Strict) {
      const V v = new_moments(c, raw_gradient, x);
      const V root = r(detail::square_root(r(v / V(c.correction2))));
      const V step = r(r(x.m / V(c.correction1)) / r(root + V(c.eps)));
      const V decay = r(V(c.decay) * x.theta);
      return c.decoupled ? r(r(V(-c.lr) * step) - decay) : r(V(-c.lr) * r(step + decay));
    } else {
      return decayed(c, quotient(c, raw_gradient, x), x);
    }
  }
  /// The first part of `moments`, for which, unless rare, the parameter is not needed: the update
  /// without decay.
  MCT_HD MCT_ALWAYS_INLINE static V quotient(const Constants& c, const V& raw_gradient, Lanes& x) {
    static_assert(!Strict);
    const V v = new_moments(c, raw_gradient, x);
    const V root = detail::square_root(v * V(c.correction2)) + V(c.eps);
    return (x.m * V(c.step_size)) / root;
  }
  /// The second part, for which the states are not needed.
  MCT_HD MCT_ALWAYS_INLINE static V decayed(const Constants& c, const V& quotient, const Lanes& x) {
    return quotient - V(c.decay) * (C.has_sum() ? x.theta + x.low : x.theta);
  }

  /// Adds the update to the parameter, and rounds everything to the stored format (to_store).
  MCT_HD MCT_ALWAYS_INLINE static void apply(const V& update,
                                             const ElementWords<words_of<V>>& random, Lanes& x) {
    add_update(update, random.theta, x);
    if constexpr (!Strict) round_states(random, x);
  }

  /// Adds the update to the parameter, and rounds the parameter to the stored format.
  MCT_HD MCT_ALWAYS_INLINE static void add_update(const V& update, const words_of<V>& random,
                                                  Lanes& x) {
    if constexpr (Strict && C.low == LowPart::remainder) {
      grow_theta(update, x);
    } else if constexpr (C.has_sum()) {
      // the residual first: in float it holds updates that theta + update would lose
      const V residual = x.low + update;
      const V theta = stored(x.theta + residual);
      const V rest = residual + (x.theta - theta);
      if constexpr (is_stochastic) {
        x.low = Round::stochastic_to_store(rest, random >> 16);
      } else {
        x.low = to_store(rest);
      }
      x.theta = theta;
    } else if constexpr (C.low == LowPart::lower_byte) {
      x.theta = RoundLanes<float, V>::stochastic_short_sum(x.theta, update, random);
    } else if constexpr (C.has_float_weight() && is_stochastic) {
      x.theta = RoundLanes<float, V>::stochastic_sum(x.theta, update, random);
    } else if constexpr (C.has_float_weight()) {
      x.theta = x.theta + update;
    } else if constexpr (is_stochastic) {
      x.theta = Round::stochastic_to_store(x.theta + update, random >> 16);
    } else {
      x.theta = to_store(x.theta + update);
    }
  }

  /// Rounds the states to the stored format, if it is narrow.
  MCT_HD MCT_ALWAYS_INLINE static void round_states(const ElementWords<words_of<V>>& random,
                                                    Lanes& x) {
    if constexpr (narrow_states) {
      // v stays within T's range: neither infinite (then v_low would be NaN) nor 0 (then a small m
      // would be divided by eps)
      constexpr auto largest = float(FloatTraits<T>::max);
      constexpr auto smallest = float(FloatTraits<T>::eta);
      x.v = lesser(x.v, V(largest));
      x.v = detail::blend(x.v > V(0.0F), greater(x.v, V(smallest)), x.v);
      if constexpr (C.v_low) {
        const V v = rounded_v(x.v);
        if constexpr (C.v_rounding == Rounding::stochastic) {
          x.v_low = Round::stochastic_to_store(x.v - v, random.v);
        } else {
          x.v_low = to_store(x.v - v);
        }
        x.v = v;
      } else if constexpr (C.v_rounding == Rounding::stochastic) {
        x.v = Round::stochastic_to_store(x.v, random.v);
      } else {
        x.v = to_store(x.v);
      }
      if constexpr (C.m_rounding == Rounding::stochastic) {
        x.m = Round::stochastic_to_store(x.m, random.m);
      } else {
        x.m = to_store(x.m);
      }
      if constexpr (Rare) x.v_max = to_store(lesser(x.v_max, V(largest)));
    }
  }

  /// What a load will give back after a store of x.
  MCT_HD MCT_ALWAYS_INLINE static Lanes as_stored(const Lanes& x) {
    if constexpr (!narrow_states) {
      return x;
    } else {
      const V theta = C.has_float_weight() ? x.theta : Round::cut(x.theta);
      return {theta, Round::cut(x.low), x.m, Round::cut(x.v), Round::cut(x.v_low), x.v_max};
    }
  }

 private:
  /// m and v of x with the gradient in them. Returns the v by which the update is divided.
  MCT_HD MCT_ALWAYS_INLINE static V new_moments(const Constants& c, const V& raw_gradient,
                                                Lanes& x) {
    V g = r(raw_gradient * V(c.grad_scale));
    if constexpr (Rare)
      if (c.l2_decay != 0) g = r(g + r(V(c.l2_decay) * x.theta));
    x.m = r(r(V(c.beta1) * x.m) + r(V(c.one_minus_beta1) * g));
    const V square = r(V(c.one_minus_beta2) * r(g * g));
    if constexpr (Strict && C.v_low) {
      grow(square, times_beta2(c, x));
    } else if constexpr (C.v_low) {
      x.v = V(c.beta2) * (x.v + x.v_low) + square;
    } else {
      x.v = r(r(V(c.beta2) * x.v) + square);
    }
    if constexpr (Rare)
      if (c.amsgrad) return x.v_max = greater(x.v, x.v_max);
    return x.v;
  }

  /// The upper part of v; where the lower one is rounded stochastically it does not matter whether
  /// a tie goes to the even number.
  MCT_HD MCT_ALWAYS_INLINE static V rounded_v(const V& v) {
    if constexpr (C.v_rounding == Rounding::stochastic && std::is_same_v<T, bfloat16>) {
      return from_words<V>((to_words(v) + words_of<V>(0x8000u)) & words_of<V>(0xffff0000u));
    } else {
      return stored(v);
    }
  }
  /// (v, v_low) = (beta2, beta2_low) (v, v_low), Alg. 23: both cross products rounded, added, added
  /// to the error. The product of two T is exact in float.
  MCT_HD MCT_ALWAYS_INLINE static Lanes& times_beta2(const Constants& c, Lanes& x) {
    const V product = V(c.beta2) * x.v;
    const V high = r(product);
    V error = r(product - high);
    error = r(error + r(r(V(c.beta2) * x.v_low) + r(V(c.beta2_low) * x.v)));
    x.v = r(high + error);
    x.v_low = r(error - r(x.v - high));
    return x;
  }
  /// (v, v_low) + a, Alg. 8.
  MCT_HD MCT_ALWAYS_INLINE static void grow(const V& a, Lanes& x) { grow(a, x.v, x.v_low); }
  MCT_HD MCT_ALWAYS_INLINE static void grow_theta(const V& a, Lanes& x) { grow(a, x.theta, x.low); }
  MCT_HD MCT_ALWAYS_INLINE static void grow(const V& a, V& high, V& low) {
    const V u = r(high + a);
    const V a_part = r(u - high);
    const V high_part = r(u - a_part);
    const V error = r(r(high - high_part) + r(a - a_part));
    const V tail = r(low + error);
    high = r(u + tail);
    low = r(tail - r(high - u));
  }
};

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
