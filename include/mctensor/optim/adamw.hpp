// One AdamW step of arrays in memory, for any training loop.
#pragma once

#include <cstdint>
#include <span>

#include "mctensor/optim/arrays.hpp"
#include "mctensor/optim/step_report.hpp"
#include "mctensor/optim/strategy.hpp"

namespace mct::optim {

/// Where weight decay enters a step.
enum class WeightDecay {
  inside,  ///< update = -lr (m / (sqrt(v) + eps) + decay theta), as in Yu 2024, Alg. 9, and, up to
           ///< rounding, in PyTorch's AdamW
  decoupled,  ///< update = -lr m / (sqrt(v) + eps) - schedule decay theta: the decay changes with
              ///< the schedule, but not with the largest lr
  l2,         ///< gradient += decay theta: PyTorch's Adam
};

struct AdamWOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  /// 0 is allowed, but then an element whose gradients were all 0 becomes NaN or infinite.
  double eps = 1e-8;
  double weight_decay = 0.01;
  WeightDecay decay_mode = WeightDecay::inside;
  /// The factor of a schedule: lr divided by the largest lr. Only WeightDecay::decoupled uses it;
  /// the decay of a step is then at most weight_decay.
  double schedule = 1;
  /// The step first multiplies gradients by this: 1 / (loss scale), or a clipping factor.
  double grad_scale = 1;
  /// The seed of stochastic rounding.
  std::uint64_t seed = 0;
  Arithmetic arithmetic = Arithmetic::registers;
  /// True: the step also sets `measured` and the members after it in the StepReport.
  bool metrics = false;
  /// With metrics, a step measures one of every metric_sample blocks of 2048 elements. The next
  /// step measures another one, so that metric_sample steps measure all blocks. The choice does not
  /// depend on shards.
  int metric_sample = 1;
};

/// Both functions throw DomainError, which names the option and its value. They throw for betas
/// outside [0, 1), for other numbers that are negative, infinite or NaN, for a grad_scale of 0 and
/// for metric_sample below 1. They throw for numbers, and products of numbers in a step, that
/// overflow or underflow in float, and for betas that float rounds to 1. With a strategy, they also
/// throw for strict arithmetic if the strategy has none, for numbers that strict arithmetic rounds
/// to infinity or 0 in T, and for half with a split strategy.
void validate(const AdamWOptions& options);
void validate(const AdamWOptions& options, Strategy strategy, Format format);

/// Takes step number `step` >= 1 for the elements of `memory`: num_threads() threads update theta
/// and the states in place. Results do not depend on the number of threads, nor on the division of
/// the parameters into calls.
///
/// Bias corrections 1 - beta^step are computed in double. In strict arithmetic constants are
/// rounded to T; beta2 of the strategy plus is rounded to two T.
///
/// Throws DomainError for options that validate refuses, step < 1, a null array, arrays that
/// overlap, a count or position that is negative or above 2^60, and a shard of split8 that does not
/// begin at a multiple of 16. After an error nothing has changed.
///
/// Source: Yu 2024, Alg. 8 and 9, with two_sum for Fast2Sum where |x| >= |a| is not guaranteed. If
/// |x| >= |a| holds, results are the same. (published::collage_step has the printed form.)
StepReport adamw_step(Strategy strategy, Format format, const AdamWMemory& memory,
                      const AdamWOptions& options, std::int64_t step);

/// One step of many arrays, in one loop over all of them. So thousands of small arrays take little
/// more time than a large one. Updates have the bits of separate calls; sums of metrics may be
/// rounded differently. Arrays with the same `first` get the same random numbers. Gradients are
/// read first. If an element is infinite or NaN, nothing changes; the report then has the number of
/// such elements, and `skipped` is true.
///
/// Throws DomainError as the function above does. After an error nothing has changed.
StepReport adamw_step(Strategy strategy, Format format, std::span<const AdamWMemory> memory,
                      const AdamWOptions& options, std::int64_t step);

}  // namespace mct::optim
