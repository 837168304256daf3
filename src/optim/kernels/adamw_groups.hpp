// The AdamW update of groups of elements in memory: loads, random words, stores, metrics.
#pragma once

#include "mctensor/eft/fp8.hpp"
#include "src/optim/kernels/adamw_update.hpp"
#include "src/optim/split_float.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using optim_detail::group_length;

/// 16 random bits for each element of a group and each of the values `stream` that are rounded.
struct GroupRandom {
  static constexpr std::size_t counters = 16;
  alignas(64) std::uint32_t words[group_length];

  MCT_ALWAYS_INLINE void fill(const optim_detail::AdamWConstants& c, std::uint64_t group,
                              std::uint32_t stream) {
    // philox4x32 of 16 counters side by side: plain loops over lanes, which compilers vectorize
    alignas(64) std::uint32_t four[4][counters];
    const std::uint64_t first = group * counters;
    for (std::size_t i = 0; i < counters; ++i) {
      four[0][i] = std::uint32_t(first) + std::uint32_t(i);  // no carry: a multiple of 16
      four[1][i] = std::uint32_t(first >> 32);
      four[2][i] = c.step;
      four[3][i] = stream;
    }
    std::uint32_t key0 = c.key[0];
    std::uint32_t key1 = c.key[1];
    for (int round = 0; round < 10; ++round) {
      for (std::size_t i = 0; i < counters; ++i) {
        const std::uint64_t x = std::uint64_t(0xD2511F53u) * four[0][i];
        const std::uint64_t y = std::uint64_t(0xCD9E8D57u) * four[2][i];
        four[0][i] = std::uint32_t(y >> 32) ^ four[1][i] ^ key0;
        four[1][i] = std::uint32_t(y);
        four[2][i] = std::uint32_t(x >> 32) ^ four[3][i] ^ key1;
        four[3][i] = std::uint32_t(x);
      }
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t i = 0; i < counters; ++i) {
        words[2 * k * counters + i] = four[k][i] & 0xffffu;
        words[(2 * k + 1) * counters + i] = four[k][i] >> 16;
      }
  }
};

/// Sums of metrics: in float over the 8 elements of a group that share one of 16 virtual lanes
/// (their order does not depend on the width of a register), in double from group to group.
template <class V>
struct MetricSums {
  static constexpr std::size_t virtual_lanes = 16;
  static constexpr std::size_t registers = virtual_lanes / lanes<V>;
  V update_squared[registers];
  V effective_squared[registers];
  V product[registers];
  double totals[3] = {};

  MCT_ALWAYS_INLINE void open_group() {
    for (std::size_t k = 0; k < registers; ++k)
      update_squared[k] = effective_squared[k] = product[k] = V(0.0F);
  }
  MCT_ALWAYS_INLINE void add(const V& update, const V& effective, std::size_t j) {
    const std::size_t k = j / lanes<V> % registers;
    update_squared[k] = update_squared[k] + update * update;
    effective_squared[k] = effective_squared[k] + effective * effective;
    product[k] = product[k] + update * effective;
  }
  MCT_ALWAYS_INLINE void close_group() {
    totals[0] += total(update_squared);
    totals[1] += total(effective_squared);
    totals[2] += total(product);
  }

 private:
  MCT_ALWAYS_INLINE static double total(const V (&sums)[registers]) {
    float values[virtual_lanes];
    for (std::size_t k = 0; k < registers; ++k) store_lanes(sums[k], values + k * lanes<V>);
    double sum = 0;
    for (const float value : values) sum += double(value);
    return sum;
  }
};

/// The arrays of a strategy as lanes.
template <class T, Strategy S, class V>
struct AdamWArrays {
  using Traits = StrategyTraits<S>;
  using Weight = std::conditional_t<S == Strategy::full, float, T>;
  using State = std::conditional_t<Traits::float_states, float, T>;
  static constexpr bool has_scales = S == Strategy::fp8_states;

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
      for (std::size_t i = 0; i < group_length; ++i) {
        const float root = float(v8[group * group_length + i]) * scales[2 * group + 1];
        m_buffer[i] = float(m8[group * group_length + i]) * scales[2 * group];
        v_buffer[i] = root * root;
      }
    }
  }
  MCT_ALWAYS_INLINE void close_group(std::size_t group) {
    if constexpr (has_scales) {
      float largest_m = 0;
      float largest_root = 0;
      for (std::size_t i = 0; i < group_length; ++i) {
        v_buffer[i] = __builtin_sqrtf(v_buffer[i]);
        const float size = m_buffer[i] < 0 ? -m_buffer[i] : m_buffer[i];
        largest_m = size > largest_m ? size : largest_m;
        largest_root = v_buffer[i] > largest_root ? v_buffer[i] : largest_root;
      }
      constexpr float top = 448;
      const float scale_m = largest_m > 0 ? largest_m / top : 1.0F;
      const float scale_root = largest_root > 0 ? largest_root / top : 1.0F;
      scales[2 * group] = scale_m;
      scales[2 * group + 1] = scale_root;
      for (std::size_t i = 0; i < group_length; ++i) {
        m8[group * group_length + i] = e4m3(m_buffer[i] / scale_m);
        // a v that is not 0 must not become 0: a small m would be divided by eps
        const float root = v_buffer[i] / scale_root;
        constexpr float smallest = 0x1p-9F;
        v8[group * group_length + i] = e4m3(root > 0 && root < smallest ? smallest : root);
      }
    }
  }

  /// Elements from i on, which are number j and following of their group.
  MCT_ALWAYS_INLINE AdamWLanes<V> load(std::size_t i, std::size_t j) const {
    const V zero(0.0F);
    AdamWLanes<V> x{zero, zero, zero, zero, zero, zero};
    if constexpr (S == Strategy::master) {
      x.theta = load_lanes<V>(master + i);
    } else if constexpr (S == Strategy::split16) {
      x.theta = join(load_converted<V>(theta + i), i);
    } else {
      x.theta = load_converted<V>(theta + i);
    }
    if constexpr (Traits::expansion || Traits::kahan) x.low = load_converted<V>(low + i);
    if constexpr (Traits::v_expansion) x.v_low = load_converted<V>(v_low + i);
    if constexpr (has_scales) {
      x.m = load_lanes<V>(m_buffer + j);
      x.v = load_lanes<V>(v_buffer + j);
      if (v_max_float != nullptr) x.v_max = load_lanes<V>(v_max_float + i);
    } else {
      x.m = load_converted<V>(m + i);
      x.v = load_converted<V>(v + i);
      if (v_max != nullptr) x.v_max = load_converted<V>(v_max + i);
    }
    return x;
  }
  MCT_ALWAYS_INLINE void store(const AdamWLanes<V>& x, std::size_t i, std::size_t j) {
    if constexpr (S == Strategy::master) {
      store_lanes(x.theta, master + i);
      store_narrow(RoundLanes<T, V>::nearest(x.theta), theta + i);
    } else if constexpr (S == Strategy::split16) {
      split(x.theta, i);
    } else {
      store_narrow(x.theta, theta + i);
    }
    if constexpr (Traits::expansion || Traits::kahan) store_narrow(x.low, low + i);
    if constexpr (Traits::v_expansion) store_narrow(x.v_low, v_low + i);
    if constexpr (has_scales) {
      store_lanes(x.m, m_buffer + j);
      store_lanes(x.v, v_buffer + j);
      if (v_max_float != nullptr) store_lanes(x.v_max, v_max_float + i);
    } else {
      store_narrow(x.m, m + i);
      store_narrow(x.v, v + i);
      if (v_max != nullptr) store_narrow(x.v_max, v_max + i);
    }
  }

 private:
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

/// The lanes that hold `value`, as ones and zeros.
template <class V, class M>
MCT_ALWAYS_INLINE inline V ones(const M& mask) {
  return detail::blend(mask, V(1.0F), V(0.0F));
}

/// What became of the updates.
template <Strategy S, class V>
MCT_ALWAYS_INLINE inline UpdateLanes<V> measure(const optim_detail::AdamWConstants& c,
                                                const V& gradient, const V& update,
                                                const AdamWLanes<V>& before,
                                                const AdamWLanes<V>& after) {
  const V zero(0.0F);
  UpdateLanes<V> r{update, zero, zero, zero, zero};
  r.effective = (after.theta - before.theta) + (after.low - before.low);
  const auto stays = after.theta == before.theta && after.low == before.low;
  r.lost = ones<V>(stays && !(update == zero));
  const V g = gradient * V(c.grad_scale);
  const V v_update = V(c.true_one_minus_beta2) * (g * g - (before.v + before.v_low));
  const auto v_moves = !(v_update == zero);
  r.v_update = ones<V>(v_moves);
  r.v_lost = ones<V>(v_moves && after.v == before.v && after.v_low == before.v_low);
  return r;
}

template <class V>
MCT_ALWAYS_INLINE inline std::int64_t total(const V& counts) {
  float values[lanes<V>];
  store_lanes(counts, values);
  float sum = 0;
  for (const float value : values) sum += value;
  return std::int64_t(sum);
}

template <class T, Strategy S, bool Strict, bool Metrics>
void adamw_groups(const optim::AdamWMemory& memory, const optim_detail::AdamWConstants& c,
                  std::uint64_t first_group, std::size_t groups, optim::StepReport& report) {
  using V = widest_batch<float>;
  using Update = AdamWUpdate<T, S, Strict, V>;
  using Traits = StrategyTraits<S>;
  AdamWArrays<T, S, V> arrays(memory);
  const bool amsgrad = memory.v_max != nullptr;
  GroupRandom for_theta;
  GroupRandom for_m;
  GroupRandom for_v;
  MetricSums<V> metrics;
  for (std::size_t group = 0; group < groups; ++group) {
    if constexpr (Traits::random) for_theta.fill(c, first_group + group, 0);
    if constexpr (Traits::random_states) for_m.fill(c, first_group + group, 1);
    if constexpr (Traits::random_states || Traits::random_v_low)
      for_v.fill(c, first_group + group, 2);
    arrays.open_group(group);
    metrics.open_group();
    V bad(0.0F);
    V updates(0.0F);
    V lost(0.0F);
    V v_updates(0.0F);
    V v_lost(0.0F);
    for (std::size_t j = 0; j < group_length; j += lanes<V>) {
      const std::size_t i = group * group_length + j;
      RandomLanes<V> random{};
      if constexpr (Traits::random) random.theta = load_words<V>(for_theta.words + j);
      if constexpr (Traits::random_states) random.m = load_words<V>(for_m.words + j);
      if constexpr (Traits::random_states || Traits::random_v_low)
        random.v = load_words<V>(for_v.words + j);
      const V gradient = load_converted<V>(arrays.grad + i);
      const AdamWLanes<V> before = arrays.load(i, j);
      AdamWLanes<V> x = before;
      V update = Update::moments(c, gradient, x, amsgrad);
      Update::apply(update, random, amsgrad, x);
      const auto good = detail::is_finite_mask(gradient);
      if (!detail::all_lanes(good)) {
        x.theta = detail::blend(good, x.theta, before.theta);
        x.low = detail::blend(good, x.low, before.low);
        x.m = detail::blend(good, x.m, before.m);
        x.v = detail::blend(good, x.v, before.v);
        x.v_low = detail::blend(good, x.v_low, before.v_low);
        x.v_max = detail::blend(good, x.v_max, before.v_max);
        bad = bad + detail::blend(good, V(0.0F), V(1.0F));
      }
      arrays.store(x, i, j);
      if constexpr (Metrics) {
        update = detail::blend(good, update, V(0.0F));
        const UpdateLanes<V> m =
            measure<S>(c, detail::blend(good, gradient, V(0.0F)), update, before, x);
        metrics.add(m.update * V(c.metric_scale), m.effective * V(c.metric_scale), j);
        updates = updates + ones<V>(!(update == V(0.0F)));
        lost = lost + m.lost;
        v_updates = v_updates + detail::blend(good, m.v_update, V(0.0F));
        v_lost = v_lost + detail::blend(good, m.v_lost, V(0.0F));
      }
    }
    arrays.close_group(group);
    report.nonfinite += total(bad);
    if constexpr (Metrics) {
      report.updates += total(updates);
      report.lost_updates += total(lost);
      report.v_updates += total(v_updates);
      report.lost_v_updates += total(v_lost);
      metrics.close_group();
    }
  }
  if constexpr (Metrics) {
    report.update_squared += metrics.totals[0];
    report.effective_squared += metrics.totals[1];
    report.update_times_effective += metrics.totals[2];
  }
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
