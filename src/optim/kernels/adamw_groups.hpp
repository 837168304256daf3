// The AdamW step of whole groups of elements in memory.
#pragma once

#include "src/optim/kernels/adamw_arrays.hpp"
#include "src/optim/kernels/adamw_metrics.hpp"
#include "src/optim/kernels/group_random.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// x, but as before where the gradient is not finite. Returns how many those are.
template <class V>
std::int64_t keep_bad(const V& gradient, const AdamWLanes<V>& before, AdamWLanes<V>& x) {
  const auto good = detail::is_finite_mask(gradient);
  x = blend_lanes(good, x, before);
  float bad[lanes<V>];
  store_lanes(detail::blend(good, V(0.0F), V(1.0F)), bad);
  float sum = 0;
  for (const float one : bad) sum += one;
  return std::int64_t(sum);
}

/// What the first half of a step of a group leaves for the second, the bits of registers one after
/// the other.
template <class V>
struct HalfStep {
  using Array = std::uint32_t[group_length];

  alignas(64) Array quotients;  // floats
  alignas(64) Array words;      // ElementWords::theta

  /// The registers from element j on.
  template <class W>
  MCT_ALWAYS_INLINE static void put(const words_of<W>& x, std::size_t j, Array& to) {
    each_pair(x, j, [&](const Twice<words_of<V>>& pair, std::size_t at) {
      store_words<V>(pair.low, to + at);
      store_words<V>(pair.high, to + at + lanes<V>);
    });
  }
  template <class W>
  MCT_ALWAYS_INLINE static words_of<W> get(const Array& from, std::size_t j) {
    return of_registers<words_of<W>>(j, 0, [&](std::size_t at, std::size_t r) {
      return load_words<V>(from + at + r * lanes<V>);
    });
  }
};

/// The first half, in the usual case: the moments of the registers that begin with element i,
/// number j of its group.
template <class Update, class W, class V, class Arrays, class Random>
MCT_ALWAYS_INLINE inline void update_moments(const optim_detail::AdamWConstants& c, Arrays& arrays,
                                             const Random& random, std::size_t i, std::size_t j,
                                             HalfStep<V>& half) {
  auto x = AdamWLanes<W>::zeros();
  arrays.load_states(i, j, 0, x);
  const W quotient = Update::quotient(c, arrays.template load_gradient<W>(i, 0), x);
  half.template put<W>(to_words(quotient), j, half.quotients);
  if constexpr (Update::draws && !Arrays::has_group_states) {
    const auto words = random.template words<W>(j, 0);
    half.template put<W>(words.theta, j, half.words);
    Update::round_states(words, x);
  } else {
    Update::round_states({}, x);
  }
  arrays.store_states(x, i, j);
}
/// The second half: their weights.
template <class Update, class W, class V, class Arrays>
MCT_ALWAYS_INLINE inline void update_weights(const optim_detail::AdamWConstants& c, Arrays& arrays,
                                             std::size_t i, std::size_t j,
                                             const HalfStep<V>& half) {
  auto x = AdamWLanes<W>::zeros();
  arrays.load_weight(i, 0, x);
  const W quotient = from_words<W>(half.template get<W>(half.quotients, j));
  words_of<W> words{};
  if constexpr (Update::draws) words = half.template get<W>(half.words, j);
  Update::add_update(Update::decayed(c, quotient, x), words, x);
  arrays.store_weights(x, i);
}
/// A group in the usual case without metrics. A processor sees but a few dozen waiting operations
/// ahead, which those behind a root and a quotient would fill: so a group is gone through twice,
/// and once more for random words that only its end needs.
template <class Update, class W, class V, class Arrays, class Random>
MCT_ALWAYS_INLINE inline void update_group(const optim_detail::AdamWConstants& c, Arrays& arrays,
                                           const Random& random, std::size_t group,
                                           HalfStep<V>& half) {
  const std::size_t begin = group * group_length;
  if constexpr (Update::draws && Arrays::has_group_states)
    for (std::size_t j = 0; j < group_length; j += lanes<W>)
      half.template put<W>(random.template words<W>(j, 0).theta, j, half.words);
  for (std::size_t j = 0; j < group_length; j += lanes<W>) {
    for (std::size_t k = 0; k < lanes<W>; k += 2 * lanes<V>) arrays.prefetch(begin + j + k);
    update_moments<Update, W>(c, arrays, random, begin + j, j, half);
  }
  for (std::size_t j = 0; j < group_length; j += lanes<W>)
    update_weights<Update, W>(c, arrays, begin + j, j, half);
}

/// The pair of registers that begins with element i, which is number j of its group. Returns how
/// many gradients are not finite. Registers are loaded one after the other (their memory is in the
/// cache): all at once would not fit. Metrics: void for none; where something rare happens it is
/// a pointer, perhaps null, that decides.
template <class Update, class V, class Arrays, class Random, class Metrics>
MCT_ALWAYS_INLINE inline std::int64_t update_pair(const optim_detail::AdamWConstants& c,
                                                  Arrays& arrays, const Random& random,
                                                  std::size_t i, std::size_t j, HalfStep<V>& half,
                                                  Metrics* metrics) {
  V gradient[2] = {arrays.template load_gradient<V>(i, 0), arrays.template load_gradient<V>(i, 1)};
  if constexpr (Update::rare)
    if (c.float_grad) arrays.load_float_gradients(i, gradient);
  AdamWLanes<Twice<V>> pair;
  std::int64_t bad = 0;
  for (std::size_t r = 0; r < 2; ++r) {
    auto before = AdamWLanes<V>::zeros();
    arrays.load_weight(i, r, before);
    arrays.load_states(i, j, r, before);
    if constexpr (Update::rare)
      if (c.amsgrad) before.v_max = arrays.load_v_max(i, r);
    AdamWLanes<V> x = before;
    V update = Update::moments(c, gradient[r], x);
    if constexpr (Update::draws) {
      const auto words = random.template words<V>(j, r);
      store_words<V>(words.theta, half.words + j + r * lanes<V>);
      Update::apply(update, words, x);
    } else {
      Update::apply(update, {}, x);
    }
    if constexpr (Update::rare) {
      bad += keep_bad(gradient[r], before, x);
      update = detail::blend(detail::is_finite_mask(gradient[r]), update, V(0.0F));
      if (metrics != nullptr)
        metrics->template add<true>(c, gradient[r], update, before, Update::as_stored(x), j, r);
    } else if constexpr (!std::is_same_v<Metrics, void>) {
      metrics->template add<false>(c, gradient[r], update, before, Update::as_stored(x), j, r);
    }
    set_register(pair, r, x);
  }
  arrays.store_weights(pair, i);
  arrays.store_states(pair, i, j);
  if constexpr (Update::rare)
    if (c.amsgrad) arrays.store_v_max(pair, i);
  return bad;
}

/// Group number `group` where something out of the ordinary is to be done: for AMSGrad, decay in
/// the gradient, gradients that are not finite, gradients of float beside a 16-bit theta, rates so
/// small that metrics are scaled, or in strict arithmetic. A function of its own, so that the usual
/// case stays in registers.
template <class Update, class V, class Arrays, class Random, class Metrics>
[[gnu::noinline]] std::int64_t update_rare_group(const optim_detail::AdamWConstants& c,
                                                 Arrays& arrays, const Random& random,
                                                 std::size_t group, HalfStep<V>& half,
                                                 Metrics* metrics) {
  std::int64_t bad = 0;
  for (std::size_t j = 0; j < group_length; j += 2 * lanes<V>) {
    const std::size_t i = group * group_length + j;
    arrays.prefetch(i);
    bad += update_pair<Update, V>(c, arrays, random, i, j, half, metrics);
  }
  return bad;
}

/// The groups with or, if sums is null, without metrics. The usual case is compiled for each; what
/// is rare, and all of strict arithmetic, asks at run time.
template <class T, Composition C, bool Strict, bool WithMetrics, class Sums>
MCT_ALWAYS_INLINE inline void adamw_loop(const optim::AdamWMemory& memory,
                                         const optim_detail::AdamWConstants& constants,
                                         std::uint64_t first_group, std::size_t groups, Sums* sums,
                                         optim::StepReport& report) {
  using V = widest_batch<float>;
  using Update = AdamWUpdate<T, C, Strict, false, V>;
  using RareUpdate = AdamWUpdate<T, C, Strict, true, V>;
  using Arrays = AdamWArrays<T, C, V>;
  using UsualMetrics = std::conditional_t<WithMetrics, Sums, void>;
  const optim_detail::AdamWConstants c = constants;  // no store can change it
  Arrays arrays(memory);
  HalfStep<V> half;
  const bool usual =
      !Strict && !c.amsgrad && c.l2_decay == 0 && c.metric_scale == 1 && !c.float_grad;
  std::conditional_t<C.is_stochastic(), GroupRandom<Arrays::layout, V>, NoRandom> random;
  for (std::size_t group = 0; group < groups; ++group) {
    const GroupKey key = GroupKey::of(c, first_group + group);
    random.open(key);
    arrays.open_group(group);
    bool is_usual = false;
    if constexpr (!Strict) {
      is_usual = usual && (c.has_finite_gradients || arrays.has_finite_gradients(group));
      if (is_usual) {
        // floats wait for memory, whether a group is gone through once or twice
        if constexpr (WithMetrics || C.states == Number::float32) {
          UsualMetrics* metrics = nullptr;
          if constexpr (WithMetrics) metrics = sums;
          for (std::size_t j = 0; j < group_length; j += 2 * lanes<V>) {
            const std::size_t i = group * group_length + j;
            arrays.prefetch(i);
            update_pair<Update, V>(c, arrays, random, i, j, half, metrics);
          }
        } else {
          using W = SideBySide<V>;
          update_group<AdamWUpdate<T, C, Strict, false, W>, W>(c, arrays, random, group, half);
        }
      }
    }
    if (!is_usual)
      report.nonfinite += update_rare_group<RareUpdate, V>(c, arrays, random, group, half, sums);
    arrays.close_group(group, half.words);
    if (sums != nullptr) sums->close_group(group + 1 == groups);
  }
}

// With sanitizers a kernel takes long to compile: one variant is enough.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool always_metrics = true;
#else
inline constexpr bool always_metrics = false;
#endif

template <class T, Composition C, bool Strict>
void adamw_groups(const optim::AdamWMemory& memory, const optim_detail::AdamWConstants& constants,
                  std::uint64_t first_group, std::size_t groups, bool measure,
                  optim::StepReport& report) {
  using V = widest_batch<float>;
  using Sums = MetricSums<V, AdamWArrays<T, C, V>::layout>;
  if constexpr (!Strict && !always_metrics) {
    if (!measure) {
      Sums* const none = nullptr;
      adamw_loop<T, C, Strict, false>(memory, constants, first_group, groups, none, report);
      return;
    }
  }
  Sums sums;
  adamw_loop<T, C, Strict, !Strict>(memory, constants, first_group, groups,
                                    measure || always_metrics ? &sums : nullptr, report);
  if (measure) sums.report(report);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
