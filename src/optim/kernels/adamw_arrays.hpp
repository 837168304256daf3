// The arrays of an AdamW strategy in memory, as pairs of registers of floats.
#pragma once

#include "src/optim/kernels/adamw_parts.hpp"
#include "src/optim/kernels/block_states.hpp"
#include "src/optim/kernels/lane_pairs.hpp"
#include "src/optim/kernels/marked_groups.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

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

/// The arrays of a composition as lanes.
template <class T, Composition C, class V>
struct AdamWArrays {
  using Types = AdamWTypes<T, C>;
  using Weight = typename Types::Weight;
  using Low = typename Types::Low;
  using State = typename Types::State;
  using Largest = typename Types::Largest;
  static constexpr bool has_low = C.low != LowPart::none;
  static constexpr bool has_marks = layout_of(C).marks > 0;
  /// The moments of a group pass through floats in the nearest cache.
  static constexpr bool has_group_states = C.states == Number::roots;
  /// Words of 16 bits: bfloat16 or, in low, the lower bits of floats.
  static constexpr bool all_words = std::is_same_v<T, bfloat16> && C.theta == Number::narrow &&
                                    C.low != LowPart::master && C.states == Number::narrow;
  static constexpr PairLayout layout = all_words ? PairLayout::even_odd : PairLayout::halves;

  Weight* theta;
  Low* low;
  State* m;
  State* v;
  T* v_low;
  Largest* v_max;
  const Weight* grad;
  MarkedGroups marked;
  std::conditional_t<has_group_states, BlockStates, NoGroupStates> group_states;

  explicit AdamWArrays(const optim::AdamWMemory& p)
      : theta(static_cast<Weight*>(p.theta)),
        low(static_cast<Low*>(p.low)),
        m(static_cast<State*>(p.m)),
        v(static_cast<State*>(p.v)),
        v_low(static_cast<T*>(p.v_low)),
        v_max(static_cast<Largest*>(p.v_max)),
        grad(static_cast<const Weight*>(p.grad)),
        marked(p) {}

  MCT_ALWAYS_INLINE void open_group(std::size_t group) {
    if constexpr (has_marks)
      if (marked.are_there()) marked.open<Low>(group);
    if constexpr (has_group_states)
      group_states.open(m + group * group_length, v + group * group_length,
                        low + group * group_length);
  }
  MCT_ALWAYS_INLINE void close_group(std::size_t group) {
    if constexpr (has_group_states)
      group_states.close(m + group * group_length, v + group * group_length,
                         low + group * group_length);
    if constexpr (has_marks)
      if (marked.are_there()) marked.close(group);
  }

  /// Whether all gradients of a group are finite.
  MCT_ALWAYS_INLINE bool has_finite_gradients(std::size_t group) const {
    V sum(0.0F);
    for (std::size_t j = 0; j < group_length; j += 2 * lanes<V>) {
      V gradient[2];
      load_pair<layout>(grad + group * group_length + j, gradient);
      for (const V& x : gradient) sum = sum + (x - x);  // 0, or NaN
    }
    return detail::all_lanes(sum == V(0.0F));
  }

  /// Asks for the memory that will be wanted after some groups: these are more streams than the
  /// processor follows by itself.
  MCT_ALWAYS_INLINE void prefetch(std::size_t i) const {
    fetch<false>(grad, i);
    if constexpr (has_low) fetch<true>(low, i);
    if constexpr (C.v_low) fetch<true>(v_low, i);
    fetch<true>(theta, i);
    if constexpr (!has_group_states) {
      fetch<true>(m, i);
      fetch<true>(v, i);
    }
  }

  /// Register r of the pair that begins with element i, which is number j of its group.
  MCT_ALWAYS_INLINE AdamWLanes<V> load(std::size_t i, std::size_t j, std::size_t r) const {
    const V zero(0.0F);
    AdamWLanes<V> x{zero, zero, zero, zero, zero, zero};
    if constexpr (C.low == LowPart::master) {
      x.theta = master_weight<T>(load_of_pair<layout, V>(low + i, r),
                                 load_of_pair<layout, V>(theta + i, r));
    } else if constexpr (C.low == LowPart::lower_byte) {
      const auto byte = load_byte_words<V>(low + i + r * lanes<V>) &
                        words_of<V>(std::uint32_t(detail::lower_byte_mask));
      x.theta = join_words(load_of_pair<layout, V>(theta + i, r),
                           shifted_signed<16>(words_of<V>(byte << 24)));
    } else if constexpr (C.low == LowPart::lower_bits) {
      x.theta = join_words(load_of_pair<layout, V>(theta + i, r),
                           load_signed_of_pair<layout, V>(low + i, r));
    } else {
      x.theta = load_of_pair<layout, V>(theta + i, r);
    }
    if constexpr (C.has_sum()) x.low = load_of_pair<layout, V>(low + i, r);
    if constexpr (C.v_low) x.v_low = load_of_pair<layout, V>(v_low + i, r);
    if constexpr (has_group_states) {
      x.m = load_of_pair<layout, V>(group_states.m + j, r);
      x.v = load_of_pair<layout, V>(group_states.v + j, r);
    } else {
      x.m = load_of_pair<layout, V>(m + i, r);
      x.v = load_of_pair<layout, V>(v + i, r);
    }
    return x;
  }
  MCT_ALWAYS_INLINE void store(const AdamWPair<V>& x, std::size_t i, std::size_t j) {
    if constexpr (C.low == LowPart::master) {
      store_pair<layout>(x.theta, low + i);
      using Round = RoundLanes<T, V>;
      const V rounded[2] = {Round::nearest(x.theta[0]), Round::nearest(x.theta[1])};
      store_pair<layout>(rounded, theta + i);
    } else if constexpr (C.low == LowPart::lower_bits) {
      V high[2];
      words_of<V> rest[2];
      for (std::size_t r = 0; r < 2; ++r) split_words(x.theta[r], high[r], rest[r]);
      store_pair<layout>(high, theta + i);
      store_word_pair<layout, V>(rest, low + i);
    } else if constexpr (C.low == LowPart::lower_byte) {
      V high[2];
      words_of<V> rest[2];
      for (std::size_t r = 0; r < 2; ++r) {
        split_words(x.theta[r], high[r], rest[r]);
        // the bits of the scales are 0 until the group is closed
        store_byte_words<V>(rest[r] >> 8, low + i + r * lanes<V>);
      }
      store_pair<layout>(high, theta + i);
    } else {
      store_pair<layout>(x.theta, theta + i);
    }
    if constexpr (C.has_sum()) store_pair<layout>(x.low, low + i);
    if constexpr (C.v_low) store_pair<layout>(x.v_low, v_low + i);
    if constexpr (has_group_states) {
      store_pair<layout>(x.m, group_states.m + j);
      store_pair<layout>(x.v, group_states.v + j);
    } else {
      store_pair<layout>(x.m, m + i);
      store_pair<layout>(x.v, v + i);
    }
  }

  /// The gradients of the pair that begins with element i, as floats if they are that.
  MCT_ALWAYS_INLINE void load_gradient(std::size_t i, bool are_floats, V (&gradient)[2]) const {
    if constexpr (!std::is_same_v<Weight, float>) {
      if (are_floats) {
        load_float_pair<layout>(reinterpret_cast<const float*>(grad) + i, gradient);
        return;
      }
    }
    load_pair<layout>(grad + i, gradient);
  }

  /// The random words of register r of the pair that begins with element j of its group, for states
  /// that are rounded when the group is closed.
  MCT_ALWAYS_INLINE void keep_words(const words_of<V>& of_theta, std::size_t j, std::size_t r) {
    store_words<V>(of_theta, group_states.words + j + r * lanes<V>);
  }

  /// Of AMSGrad.
  MCT_ALWAYS_INLINE V load_v_max(std::size_t i, std::size_t r) const {
    return load_of_pair<layout, V>(v_max + i, r);
  }
  MCT_ALWAYS_INLINE void store_v_max(const AdamWPair<V>& x, std::size_t i) {
    store_pair<layout>(x.v_max, v_max + i);
  }

 private:
  template <bool Written, class P>
  MCT_ALWAYS_INLINE static void fetch(const P* array, std::size_t i) {
    constexpr std::size_t distance = 4 * group_length;
    constexpr std::size_t line = 64;
    // what is beyond the end of the array is not read
    const auto* address = reinterpret_cast<const char*>(array + i) + distance * sizeof(P);
    for (std::size_t byte = 0; byte < 2 * lanes<V> * sizeof(P); byte += line)
      __builtin_prefetch(address + byte, Written ? 1 : 0);
  }
};

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
