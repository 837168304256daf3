// The arrays of an AdamW strategy in memory, as pairs of registers of floats.
#pragma once

#include "mctensor/eft/fp8.hpp"
#include "src/optim/kernels/adamw_update.hpp"
#include "src/optim/kernels/lane_pairs.hpp"
#include "src/optim/split_float.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using optim_detail::group_length;

/// AdamWLanes of two registers.
template <class V>
struct AdamWPair {
  V theta[2], low[2], m[2], v[2], v_low[2], v_max[2];

  MCT_ALWAYS_INLINE void set(std::size_t r, const AdamWLanes<V>& x) {
    theta[r] = x.theta;
    low[r] = x.low;
    m[r] = x.m;
    v[r] = x.v;
    v_low[r] = x.v_low;
    v_max[r] = x.v_max;
  }
};

/// The arrays of a strategy as lanes.
template <class T, Strategy S, class V>
struct AdamWArrays {
  using Traits = StrategyTraits<S>;
  using Weight = std::conditional_t<S == Strategy::full, float, T>;
  using State = std::conditional_t<Traits::float_states, float, T>;
  static constexpr bool has_scales = S == Strategy::fp8_states;
  static constexpr bool all_bfloat16 =
      std::is_same_v<T, bfloat16> && !Traits::float_states && !has_scales;
  static constexpr PairLayout layout = all_bfloat16 ? PairLayout::even_odd : PairLayout::halves;

  Weight* theta;
  T* low;
  float* master;
  std::uint16_t* lower_bits;
  State* m;
  State* v;
  T* v_low;
  State* v_max;
  const Weight* grad;
  // 8-bit states of the current group, widened
  e4m3* m8;
  e4m3* v8;
  float* v_max_float;
  float* scales;
  alignas(64) float m_buffer[has_scales ? group_length : 1];
  alignas(64) float v_buffer[has_scales ? group_length : 1];

  explicit AdamWArrays(const optim::AdamWMemory& p)
      : theta(static_cast<Weight*>(p.theta)),
        low(static_cast<T*>(p.low)),
        master(static_cast<float*>(p.low)),
        lower_bits(static_cast<std::uint16_t*>(p.low)),
        m(static_cast<State*>(p.m)),
        v(static_cast<State*>(p.v)),
        v_low(static_cast<T*>(p.v_low)),
        v_max(static_cast<State*>(p.v_max)),
        grad(static_cast<const Weight*>(p.grad)),
        m8(static_cast<e4m3*>(p.m)),
        v8(static_cast<e4m3*>(p.v)),
        v_max_float(static_cast<float*>(p.v_max)),
        scales(p.scales) {}

  /// v is kept as its square root in 8 bits: that halves the range of exponents.
  MCT_ALWAYS_INLINE void open_group(std::size_t group) {
    if constexpr (has_scales) {
      // copies that nothing else refers to, so that the loop is vectorized
      e4m3 m_codes[group_length];
      e4m3 v_codes[group_length];
      std::memcpy(m_codes, m8 + group * group_length, sizeof(m_codes));
      std::memcpy(v_codes, v8 + group * group_length, sizeof(v_codes));
      const float scale_m = scales[2 * group];
      const float scale_root = scales[2 * group + 1];
      for (std::size_t i = 0; i < group_length; ++i) {
        const float root = float(v_codes[i]) * scale_root;
        m_buffer[i] = float(m_codes[i]) * scale_m;
        v_buffer[i] = root * root;
      }
    }
  }
  MCT_ALWAYS_INLINE void close_group(std::size_t group) {
    if constexpr (has_scales) {
      V largest(0.0F);
      V largest_square(0.0F);
      for (std::size_t i = 0; i < group_length; i += lanes<V>) {
        largest = greater(detail::magnitude(load_lanes<V>(m_buffer + i)), largest);
        largest_square = greater(load_lanes<V>(v_buffer + i), largest_square);
      }
      const float largest_m = largest_lane(largest);
      const float largest_root = __builtin_sqrtf(largest_lane(largest_square));
      constexpr float top = 448;
      const float scale_m = scale_of(largest_m / top);
      const float scale_root = scale_of(largest_root / top);
      scales[2 * group] = scale_m;
      scales[2 * group + 1] = scale_root;
      e4m3 m_codes[group_length];
      e4m3 v_codes[group_length];
      for (std::size_t i = 0; i < group_length; ++i) {
        m_codes[i] = e4m3(m_buffer[i] / scale_m);
        // a v that is not 0 must not become 0: a small m would be divided by eps
        const float root = __builtin_sqrtf(v_buffer[i]) / scale_root;
        constexpr float smallest = 0x1p-9F;
        v_codes[i] = e4m3(root > 0 && root < smallest ? smallest : root);
      }
      std::memcpy(m8 + group * group_length, m_codes, sizeof(m_codes));
      std::memcpy(v8 + group * group_length, v_codes, sizeof(v_codes));
    }
  }

  /// Asks for the memory that will be wanted after some groups: these are more streams than the
  /// processor follows by itself.
  MCT_ALWAYS_INLINE void prefetch(std::size_t i) const {
    fetch<false>(grad, i);
    if constexpr (Traits::kahan || Traits::expansion) fetch<true>(low, i);
    if constexpr (S == Strategy::master) fetch<true>(master, i);
    if constexpr (S == Strategy::split16) fetch<true>(lower_bits, i);
    if constexpr (Traits::v_expansion) fetch<true>(v_low, i);
    fetch<true>(theta, i);
    if constexpr (!has_scales) {
      fetch<true>(m, i);
      fetch<true>(v, i);
    }
  }

  /// Register r of the pair that begins with element i, which is number j of its group.
  MCT_ALWAYS_INLINE AdamWLanes<V> load(std::size_t i, std::size_t j, std::size_t r) const {
    const V zero(0.0F);
    AdamWLanes<V> x{zero, zero, zero, zero, zero, zero};
    if constexpr (S == Strategy::master) {
      x.theta = load_of_pair<layout, V>(master + i, r);
    } else if constexpr (S == Strategy::split16) {
      x.theta = join(load_of_pair<layout, V>(theta + i, r), i + r * lanes<V>);
    } else {
      x.theta = load_of_pair<layout, V>(theta + i, r);
    }
    if constexpr (Traits::expansion || Traits::kahan) x.low = load_of_pair<layout, V>(low + i, r);
    if constexpr (Traits::v_expansion) x.v_low = load_of_pair<layout, V>(v_low + i, r);
    if constexpr (has_scales) {
      x.m = load_of_pair<layout, V>(m_buffer + j, r);
      x.v = load_of_pair<layout, V>(v_buffer + j, r);
    } else {
      x.m = load_of_pair<layout, V>(m + i, r);
      x.v = load_of_pair<layout, V>(v + i, r);
    }
    return x;
  }
  MCT_ALWAYS_INLINE void store(const AdamWPair<V>& x, std::size_t i, std::size_t j) {
    if constexpr (S == Strategy::master) {
      store_pair<layout>(x.theta, master + i);
      using Round = RoundLanes<T, V>;
      const V rounded[2] = {Round::nearest(x.theta[0]), Round::nearest(x.theta[1])};
      store_pair<layout>(rounded, theta + i);
    } else if constexpr (S == Strategy::split16) {
      for (std::size_t r = 0; r < 2; ++r) split(x.theta[r], i + r * lanes<V>);
    } else {
      store_pair<layout>(x.theta, theta + i);
    }
    if constexpr (Traits::expansion || Traits::kahan) store_pair<layout>(x.low, low + i);
    if constexpr (Traits::v_expansion) store_pair<layout>(x.v_low, v_low + i);
    if constexpr (has_scales) {
      store_pair<layout>(x.m, m_buffer + j);
      store_pair<layout>(x.v, v_buffer + j);
    } else {
      store_pair<layout>(x.m, m + i);
      store_pair<layout>(x.v, v + i);
    }
  }

  /// Of AMSGrad.
  MCT_ALWAYS_INLINE V load_v_max(std::size_t i, std::size_t r) const {
    if constexpr (has_scales) {
      return load_of_pair<layout, V>(v_max_float + i, r);
    } else {
      return load_of_pair<layout, V>(v_max + i, r);
    }
  }
  MCT_ALWAYS_INLINE void store_v_max(const AdamWPair<V>& x, std::size_t i) {
    if constexpr (has_scales) {
      store_pair<layout>(x.v_max, v_max_float + i);
    } else {
      store_pair<layout>(x.v_max, v_max + i);
    }
  }

 private:
  MCT_ALWAYS_INLINE static float largest_lane(const V& x) {
    alignas(64) float values[lanes<V>];
    store_lanes(x, values);
    float largest = 0;
    for (const float value : values) largest = value > largest ? value : largest;
    return largest;
  }
  /// Numbers that are divided by a subnormal scale, or by 0, would be infinite or NaN; with 1 they
  /// are rounded to 0.
  MCT_ALWAYS_INLINE static float scale_of(float scale) { return scale >= 0x1p-126F ? scale : 1.0F; }
  template <bool Written, class P>
  MCT_ALWAYS_INLINE static void fetch(const P* array, std::size_t i) {
    constexpr std::size_t distance = 4 * group_length;
    constexpr std::size_t line = 64;
    // what is beyond the end of the array is not read
    const auto* address = reinterpret_cast<const char*>(array + i) + distance * sizeof(P);
    for (std::size_t byte = 0; byte < 2 * lanes<V> * sizeof(P); byte += line)
      __builtin_prefetch(address + byte, Written ? 1 : 0);
  }

  /// The float whose bits are those of theta, a bfloat16, times 2^16 plus the lower bits, signed:
  /// theta is the float rounded to nearest (ties away from zero).
  MCT_ALWAYS_INLINE V join(const V& high, std::size_t i) const {
    alignas(64) float value[lanes<V>];
    store_lanes(high, value);
    for (std::size_t k = 0; k < lanes<V>; ++k)
      value[k] = detail::join_float({T(value[k]).bits(), lower_bits[i + k]});
    return load_lanes<V>(value);
  }
  MCT_ALWAYS_INLINE void split(const V& x, std::size_t i) {
    alignas(64) float value[lanes<V>];
    store_lanes(x, value);
    for (std::size_t k = 0; k < lanes<V>; ++k) {
      const auto [upper, lower] = detail::split_float(value[k]);
      theta[i + k] = T::from_bits(upper);
      lower_bits[i + k] = lower;
    }
  }
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
