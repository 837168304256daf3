// What became of the updates of a step: counts and inner products.
#pragma once

#include "src/optim/kernels/adamw_update.hpp"
#include "src/optim/kernels/lane_pairs.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// What elements contribute to the metrics: the factors of sums, and what is counted, as masks.
template <class V, class M>
struct MetricTerms {
  V update, effective;
  M moves, lost, v_moves, v_lost;
};

/// x != y, but false of NaN, as that of batches is.
template <class V>
MCT_HD MCT_ALWAYS_INLINE inline auto differs(const V& x, const V& y) {
  if constexpr (std::is_arithmetic_v<V>) {
    return x < y || x > y;
  } else {
    return x != y;
  }
}

/// Rare: with gradients that are not finite, whose `update` is 0 and which moved nothing, or with a
/// scale other than 1.
template <bool Rare, class V>
MCT_HD MCT_ALWAYS_INLINE inline auto metric_terms(const optim_detail::AdamWConstants& c,
                                                  const V& gradient, const V& update,
                                                  const AdamWLanes<V>& before,
                                                  const AdamWLanes<V>& after) {
  const V effective = (after.theta - before.theta) + (after.low - before.low);
  const auto moves = differs(update, V(0.0F));
  const V g = gradient * V(c.grad_scale);
  auto v_moves = differs(V(g * g), V(before.v + before.v_low));
  if constexpr (Rare) v_moves = v_moves && detail::is_finite_mask(gradient);
  const V scale(Rare ? c.metric_scale : 1.0F);
  using M = std::remove_const_t<decltype(moves)>;
  return MetricTerms<V, M>{Rare ? update * scale : update,
                           Rare ? effective * scale : effective,
                           moves,
                           moves && effective == V(0.0F),
                           v_moves,
                           v_moves && after.v == before.v && after.v_low == before.v_low};
}

/// Sums over elements whose number is the same modulo 32: their order does not depend on the width
/// of a register. 32 terms are added in float (relative error below 2^-19), then to doubles.
template <class V, PairLayout P>
struct MetricSums {
  static constexpr std::size_t virtual_lanes = 32;
  static constexpr std::size_t registers = virtual_lanes / lanes<V>;
  enum Quantity { update_squared, effective_squared, product, updates, lost, v_updates, v_lost };
  static constexpr std::size_t quantities = 7;

  static constexpr int groups_in_float = 8;

  V sums[quantities][registers];
  int open_groups = 0;
  alignas(64) double totals[quantities][virtual_lanes] = {};

  MCT_ALWAYS_INLINE MetricSums() { clear(); }
  /// Register r of the pair that begins with element j of its group. Rare: see metric_terms.
  template <bool Rare>
  MCT_ALWAYS_INLINE void add(const optim_detail::AdamWConstants& c, const V& gradient,
                             const V& update, const AdamWLanes<V>& before,
                             const AdamWLanes<V>& after, std::size_t j, std::size_t r) {
    const std::size_t k = j / lanes<V> % registers + r;
    const auto terms = metric_terms<Rare>(c, gradient, update, before, after);
    count(updates, k, terms.moves);
    count(lost, k, terms.lost);
    count(v_updates, k, terms.v_moves);
    count(v_lost, k, terms.v_lost);
    add_product(update_squared, k, terms.update, terms.update);
    add_product(effective_squared, k, terms.effective, terms.effective);
    add_product(product, k, terms.update, terms.effective);
  }
  MCT_ALWAYS_INLINE void close_group(bool last) {
    if (++open_groups == groups_in_float || last) flush();
  }
  [[gnu::noinline]] void report(optim::StepReport& to) const {
    to.update_squared += total(update_squared);
    to.effective_squared += total(effective_squared);
    to.update_times_effective += total(product);
    to.updates += std::int64_t(total(updates));
    to.lost_updates += std::int64_t(total(lost));
    to.v_updates += std::int64_t(total(v_updates));
    to.lost_v_updates += std::int64_t(total(v_lost));
  }

 private:
  MCT_ALWAYS_INLINE void clear() {
    for (auto& quantity : sums)
      for (V& sum : quantity) sum = V(0.0F);
    open_groups = 0;
  }
  [[gnu::noinline]] void flush() {
    alignas(64) float values[lanes<V>];
    for (std::size_t q = 0; q < quantities; ++q)
      for (std::size_t k = 0; k < registers; ++k) {
        store_lanes(sums[q][k], values);
        for (std::size_t l = 0; l < lanes<V>; ++l) totals[q][k * lanes<V> + l] += double(values[l]);
      }
    clear();
  }
  /// Fused where that is fast, because these sums need not be the same on all processors.
  MCT_ALWAYS_INLINE void add_product(Quantity q, std::size_t k, const V& x, const V& y) {
#if MCT_HAS_FMA
    sums[q][k] = detail::fused_multiply_add(x, y, sums[q][k]);
#else
    sums[q][k] = sums[q][k] + x * y;
#endif
  }
  template <class M>
  MCT_ALWAYS_INLINE void count(Quantity q, std::size_t k, const M& mask) {
    sums[q][k] = detail::blend(mask, sums[q][k] + V(1.0F), sums[q][k]);
  }
  /// In the order of the elements.
  double total(Quantity q) const {
    double in_order[virtual_lanes];
    for (std::size_t k = 0; k < registers; ++k)
      for (std::size_t l = 0; l < lanes<V>; ++l)
        in_order[k / 2 * 2 * lanes<V> + element_of<P, V>(k % 2, l)] = totals[q][k * lanes<V> + l];
    double sum = 0;
    for (const double x : in_order) sum += x;
    return sum;
  }
};

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
