// The AdamW step of a list of tensors in one pass, for every composition.
#pragma once

#include "cuda/optim/adamw_octets.hpp"
#include "cuda/optim/adamw_totals.hpp"
#include "cuda/optim/octet_random.hpp"
#include "cuda/optim/step_control.hpp"
#include "cuda/optim/tensor_list.hpp"

namespace mct::cuda {

/// The step of optim::adamw_step for many arrays, bit for bit. Their gradients have been checked
/// before; if control->skip is set, nothing changes. T, C, Strict, Rare are those of AdamWUpdate.
/// Without Rare all gradients are finite and have the type of theta, there is no AMSGrad, no decay
/// in the gradient, and metrics have no scale.
///
/// A thread updates eight elements, and a block takes one chunk after the other, so any grid (x) is
/// possible. Counts and measures (Measured) are added up over the chunks of a block, in an order
/// that depends on the grid alone, and written for each block.
template <class T, Composition C, bool Strict, bool Rare, bool Measured>
struct AdamW {
  using Octets = AdamWOctets<T, C, Rare>;
  using Update = kernels::AdamWUpdate<T, C, Strict, Rare, float>;
  static constexpr int threads = 256;
  /// blocks_per_sm: as many as the registers allow without spills.
  static constexpr bool is_large = Rare || Measured || Octets::has_blocks;
  static constexpr int blocks_per_sm = is_large ? 2 : 4;
  static_assert(threads * 8 == TensorChunk::length);

  /// Whether it writes totals.
  static constexpr bool counts = Rare || Measured;

  const optim::AdamWMemory* tensors;
  const TensorChunk* chunks;
  int count;  // of chunks
  optim_detail::AdamWConstants constants;
  /// Has the constants that change from step to step.
  const StepControl* control;
  /// Totals for each block. If null, nothing is counted or measured.
  AdamWTotals* totals;
  /// A chunk is measured if its number plus the step's number is a multiple of sample; 0: none is.
  int sample;

  template <class Team>
  struct Shared {
    AdamWBlockTotals<threads, Team> totals;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    optim_detail::AdamWConstants c = constants;
    const StepControl now = load_record(team, control);
    now.set(c);
    AdamWThreadTotals own;
    int n = team.block_x();
    if (n < count && now.skip == 0) {
      TensorChunk chunk = load_record(team, chunks + n);
      while (n < count) {
        const optim::AdamWMemory memory = load_record(team, tensors + chunk.tensor);
        const std::int64_t position = memory.first / TensorChunk::length * TensorChunk::length +
                                      chunk.index * TensorChunk::length;
        n += team.blocks_x();
        if (n < count) chunk = load_record(team, chunks + n);  // prefetch
        step(team, c, memory, position, now.phase, own);
      }
    }
    if constexpr (counts) {
      if (totals == nullptr) return;
      const AdamWTotals all = shared.totals.reduce(team, own);
      if (team.rank() == 0) store_record(team, totals + team.block_x(), all);
    }
  }

 private:
  /// Updates the chunk that begins at the position.
  template <class Team>
  MCT_BLOCK void step(Team& team, optim_detail::AdamWConstants& c, const optim::AdamWMemory& memory,
                      std::int64_t position, int phase, AdamWThreadTotals& own) const {
    // if all arrays are of floats, neighbouring threads of a warp access neighbouring floats
    constexpr bool all_floats = sizeof(typename Octets::Weight) == 4;
    const int lane = team.rank() % 32;
    const int offset = all_floats ? team.rank() / 32 * 256 + lane * 4 : team.rank() * 8;
    const OctetPlace at{position + offset - memory.first, memory.count, all_floats ? 128 : 4};
    const bool whole = at.is_whole() && travels_in_eights(memory);
    bool measures = sample == 1;
    if (Measured && sample > 1)
      measures = (std::uint32_t(position / TensorChunk::length) + std::uint32_t(phase)) %
                     std::uint32_t(sample) ==
                 0;
    Octets x;
    if (whole) {
      x.template load<true>(team, memory, at, c.float_grad);
    } else {
      x.template load<false>(team, memory, at, c.float_grad);
    }
    x.open(team, memory, at);
    OctetRandom random{};
    if constexpr (C.is_stochastic()) random = OctetRandom::of(c, position + offset);
    if constexpr (Rare) c.amsgrad = memory.v_max != nullptr;
    OctetTotals totals_of_octet;
    MCT_UNROLL
    for (int e = 0; e < 8; e += 2) {
      AdamWLanes<float> pair[2];
      MCT_UNROLL
      for (int h = 0; h < 2; ++h)
        pair[h] = updated(c, x, e + h, random, measures, whole || at.holds(e + h), totals_of_octet);
      x.set(e, pair[0], pair[1]);
    }
    x.close(team, memory, at, random);
    if constexpr (counts) totals_of_octet.add_to(own);
    if (whole) {
      x.template store<true>(team, memory, at);
    } else {
      x.template store<false>(team, memory, at);
    }
  }

  MCT_BLOCK static AdamWLanes<float> updated(const optim_detail::AdamWConstants& c,
                                             const Octets& octets, int e, const OctetRandom& random,
                                             bool measures, bool exists, OctetTotals& own) {
    const float gradient = octets.grad.number(e);
    const AdamWLanes<float> before = octets.lanes(e);
    AdamWLanes<float> x = before;
    float update = Update::moments(c, gradient, x);
    if constexpr (C.is_stochastic()) {
      Update::apply(update, random.words(e), x);
    } else {
      Update::apply(update, {}, x);
    }
    if constexpr (Rare) {
      const bool good = detail::is_finite_mask(gradient);
      x = kernels::blend_lanes(good, x, before);
      update = good ? update : 0.0F;
      if (exists) own.add_nonfinite(!good);
    }
    if constexpr (Measured)
      if (measures && exists) own.add<Rare>(c, gradient, update, before, Update::as_stored(x));
    return x;
  }
};

}  // namespace mct::cuda
