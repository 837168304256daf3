// One AdamW step over spans of raw memory, for any training loop: no allocation, one pass.
#pragma once

#include <cstdint>

#include "mctensor/optim/strategy.hpp"

namespace mct::optim {

/// Where weight decay enters.
enum class WeightDecay {
  inside,     ///< update = -lr (m / (sqrt(v) + eps) + decay theta): seed 004 Alg. 9 and PyTorch's
              ///< AdamW but for rounding
  decoupled,  ///< update = -lr m / (sqrt(v) + eps) - schedule decay theta: with a schedule, but
              ///< not with lr itself
  l2,         ///< gradient += decay theta: PyTorch's Adam
};

struct AdamWOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;
  WeightDecay decay_mode = WeightDecay::inside;
  /// The factor of a schedule, lr / (initial lr): used by WeightDecay::decoupled only.
  double schedule = 1;
  /// Gradients are multiplied by this first: 1 / (loss scale), or a clipping factor.
  double grad_scale = 1;
  /// Seed of stochastic rounding.
  std::uint64_t seed = 0;
  Arithmetic arithmetic = Arithmetic::registers;
  /// Measure the sums of StepReport beyond the counts of elements.
  bool metrics = false;
  /// With metrics: measure one of so many blocks of 2048 elements, another one in the next step, so
  /// that as many steps see all; 1: everything. Which blocks does not depend on shards.
  int metric_sample = 1;
};

/// The arrays of `count` parameters, in the formats of layout_of(strategy); those of size 0 there
/// are ignored. They need not be aligned and must not overlap.
struct AdamWMemory {
  void* theta = nullptr;
  void* low = nullptr;
  void* m = nullptr;
  void* v = nullptr;
  void* v_low = nullptr;
  /// AMSGrad if not null: the largest v so far, in the format of v (float for fp8_states).
  void* v_max = nullptr;
  /// fp8_states: two floats for every group of 128, the scales of m and of sqrt(v).
  float* scales = nullptr;
  const void* grad = nullptr;
  std::int64_t count = 0;
  /// Position of the first element in the whole parameter: a shard gives the same bits as the
  /// whole. A multiple of 128 for fp8_states.
  std::int64_t first = 0;
};

/// What a step did. Without options.metrics only the first two are counted; the sums and counts
/// behind `measured` are over the measured elements.
struct StepReport {
  std::int64_t elements = 0;
  /// Elements with a gradient that is infinite or NaN: they and their moments stay as they are
  /// (with fp8_states the moments are rounded again if the scale of their group changes).
  std::int64_t nonfinite = 0;
  /// Elements whose updates were measured: all, but for metric_sample > 1.
  std::int64_t measured = 0;
  /// Elements with an update that is not 0, and those of them whose stored value did not change:
  /// lost arithmetic, seed 004 Definition 3.4.2 (docs/errata.md). For theta and for v.
  std::int64_t updates = 0;
  std::int64_t lost_updates = 0;
  std::int64_t v_updates = 0;
  std::int64_t lost_v_updates = 0;
  /// Sums over the elements, in double: update^2, effective^2 and update effective, where the
  /// effective update is the change of theta and its low component together.
  double update_squared = 0;
  double effective_squared = 0;
  double update_times_effective = 0;

  StepReport& operator+=(const StepReport& other);
  /// Effective descent quality: <update, effective> / |update|, seed 004 (3.5); 0 if there was no
  /// update. |update| where nothing is lost. Of all elements, estimated where not all are measured.
  double descent_quality() const;
  /// descent_quality / |update|: 1 where nothing is lost.
  double relative_descent_quality() const;
  /// Per cent of the updates that were lost.
  double lost_percentage() const;
  double lost_v_percentage() const;
};

/// One step, number `step` >= 1, of the elements of `memory`: theta and the states are updated in
/// place by num_threads() threads. Results do not depend on the number of threads nor on how the
/// parameters are cut into calls.
///
/// Bias corrections 1 - beta^step are computed in double. In strict arithmetic constants are
/// rounded to T, beta2 of plus to two T.
///
/// Throws DomainError for a null array, step < 1, beta outside [0, 1), negative or non-finite
/// options, metric_sample < 1, eps that strict arithmetic rounds to 0, strict arithmetic of a
/// strategy that has none, split16 with half, a shard of fp8_states that does not begin at a
/// multiple of 128.
///
/// Source: seed 004 Alg. 8 and 9; where |x| >= |a| is not guaranteed two_sum replaces Fast2Sum,
/// with the same result where it is.
StepReport adamw_step(Strategy strategy, Format format, const AdamWMemory& memory,
                      const AdamWOptions& options, std::int64_t step);

}  // namespace mct::optim
