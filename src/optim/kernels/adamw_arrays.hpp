// The arrays of an AdamW strategy in memory, as pairs of registers of floats.
#pragma once

#include "src/optim/kernels/adamw_parts.hpp"
#include "src/optim/kernels/block_states.hpp"
#include "src/optim/kernels/lane_pairs.hpp"
#include "src/optim/kernels/marked_groups.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// Register r of a pair becomes x.
template <class V>
MCT_ALWAYS_INLINE inline void set_register(AdamWLanes<Twice<V>>& pair, std::size_t r,
                                           const AdamWLanes<V>& x) {
  const auto set = [r](Twice<V>& both, const V& one) { (r == 0 ? both.low : both.high) = one; };
  set(pair.theta, x.theta);
  set(pair.low, x.low);
  set(pair.m, x.m);
  set(pair.v, x.v);
  set(pair.v_low, x.v_low);
  set(pair.v_max, x.v_max);
}

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

  static constexpr bool has_split_pairs =
      layout == PairLayout::even_odd && C.low == LowPart::lower_bits;

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
  /// words: of the elements, ElementWords::theta, for states that are rounded now.
  MCT_ALWAYS_INLINE void close_group(std::size_t group, const std::uint32_t* words) {
    if constexpr (has_group_states)
      group_states.close(m + group * group_length, v + group * group_length,
                         low + group * group_length, words);
    if constexpr (has_marks)
      if (marked.are_there()) marked.close(group);
  }

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

  /// W: V for register r of the pair that begins with element i, which is number j of its group, or
  /// what of_registers makes of such registers.
  template <class W>
  MCT_ALWAYS_INLINE void load_weight(std::size_t i, std::size_t r, AdamWLanes<W>& x) const {
    using Words = words_of<W>;
    if constexpr (has_split_pairs && is_twice<W>) {
      x.theta =
          of_pairs<W>(i, [&](std::size_t at) { return load_split_pair<V>(theta + at, low + at); });
      return;
    }
    x.theta = load<W>(theta, i, r);
    if constexpr (C.low == LowPart::master) {
      x.theta = master_weight<T>(load<W>(low, i, r), x.theta);
    } else if constexpr (C.low == LowPart::lower_byte) {
      const auto bytes = of_registers<Words>(i, r, [&](std::size_t at, std::size_t k) {
        return load_signed_byte_words<V>(low + at + k * lanes<V>);
      });
      // a scale's bit is cleared
      x.theta = join_words(x.theta, Words((bytes & Words(0xfffffffeu)) << 8));
    } else if constexpr (C.low == LowPart::lower_bits) {
      const auto bits = of_registers<Words>(i, r, [&](std::size_t at, std::size_t k) {
        return load_signed_of_pair<layout, V>(low + at, k);
      });
      x.theta = join_words(x.theta, bits);
    } else if constexpr (C.has_sum()) {
      x.low = load<W>(low, i, r);
    }
  }
  template <class W>
  MCT_ALWAYS_INLINE void load_states(std::size_t i, std::size_t j, std::size_t r,
                                     AdamWLanes<W>& x) const {
    if constexpr (C.v_low) x.v_low = load<W>(v_low, i, r);
    if constexpr (has_group_states) {
      x.m = load<W>(group_states.m, j, r);
      x.v = load<W>(group_states.v, j, r);
    } else {
      x.m = load<W>(m, i, r);
      x.v = load<W>(v, i, r);
    }
  }
  /// W: a pair or two of them.
  template <class W>
  MCT_ALWAYS_INLINE void store_weights(const AdamWLanes<W>& x, std::size_t i) {
    if constexpr (C.low == LowPart::master) {
      store_pair<layout>(x.theta, low + i);
      store_pair<layout>(RoundLanes<T, W>::nearest(x.theta), theta + i);
    } else if constexpr (has_split_pairs) {
      each_pair(x.theta, i, [&](const Twice<V>& pair, std::size_t at) {
        store_split_pair<V>(pair, theta + at, low + at);
      });
    } else if constexpr (C.low == LowPart::lower_bits) {
      W high;
      words_of<W> rest;
      split_words(x.theta, high, rest);
      store_word_pair<layout, V>(rest, low + i);
      store_pair<layout>(high, theta + i);
    } else if constexpr (C.low == LowPart::lower_byte) {
      // both are cut off; the bits of the scales are 0 until the group is closed
      const auto words = to_words(x.theta);
      store_byte_words<V>(words >> 8, low + i);
      store_pair<layout>(from_words<W>(words + words_of<W>(0x8000u)), theta + i);
    } else {
      store_pair<layout>(x.theta, theta + i);
    }
    if constexpr (C.has_sum()) store_pair<layout>(x.low, low + i);
  }
  template <class W>
  MCT_ALWAYS_INLINE void store_states(const AdamWLanes<W>& x, std::size_t i, std::size_t j) {
    if constexpr (C.v_low) store_pair<layout>(x.v_low, v_low + i);
    if constexpr (has_group_states) {
      store_pair<layout>(x.m, group_states.m + j);
      store_pair<layout>(x.v, group_states.v + j);
    } else {
      store_pair<layout>(x.m, m + i);
      store_pair<layout>(x.v, v + i);
    }
  }

  template <class W>
  MCT_ALWAYS_INLINE W load_gradient(std::size_t i, std::size_t r) const {
    return load<W>(grad, i, r);
  }
  /// The gradients of a pair that are floats, though theta is not.
  MCT_ALWAYS_INLINE void load_float_gradients(std::size_t i, V (&gradient)[2]) const {
    load_float_pair<layout>(reinterpret_cast<const float*>(grad) + i, gradient);
  }

  /// Of AMSGrad.
  MCT_ALWAYS_INLINE V load_v_max(std::size_t i, std::size_t r) const {
    return load<V>(v_max, i, r);
  }
  MCT_ALWAYS_INLINE void store_v_max(const AdamWLanes<Twice<V>>& x, std::size_t i) {
    store_pair<layout>(x.v_max, v_max + i);
  }

 private:
  template <class W, class P>
  MCT_ALWAYS_INLINE static W load(const P* p, std::size_t i, std::size_t r) {
    return of_registers<W>(
        i, r, [p](std::size_t at, std::size_t k) { return load_of_pair<layout, V>(p + at, k); });
  }
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

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
