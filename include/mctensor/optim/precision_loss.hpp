// Functions that tell for which options the numbers of a strategy are too short.
#pragma once

#include "mctensor/optim/adamw.hpp"

namespace mct::optim {

/// The largest beta2 with which a v of one T, rounded to nearest, still follows the gradients: 1 -
/// 2^-8 for bfloat16, 1 - 2^-11 for half. With a larger beta2, (1 - beta2) v is less than half a
/// unit of v, so that v no longer falls without gradients; for the same reason it stops growing too
/// early. (Up to 1 - 2^-9 this holds for the smallest v of a binade only, above 1 - 2^-9 for every
/// v.)
double largest_beta2(Format format);

/// True if v is kept in one T, rounded to nearest, and beta2 is above largest_beta2. False for
/// split8, whose v is rounded stochastically (with beta2 = 0.999999 it does not fall where it is
/// below 10^-4 of the largest in its block).
bool loses_second_moment(Strategy strategy, Format format, double beta2);

/// True if the decay of a step, lr weight_decay (decoupled: schedule weight_decay), is less than
/// half a unit of every weight. Half a unit is 2^-9 of the weight for one bfloat16 rounded to
/// nearest, 2^-18 for two bfloat16, and 2^-12 and 2^-24 for one and two halves. Then one T does not
/// decay at all, and theta + delta decays only until delta is as large as 2^8 (half: 2^11) decays.
/// The decay may still have an effect where it is added to an update by a gradient. False for float
/// weights, for stochastically rounded weights and for WeightDecay::l2.
bool loses_weight_decay(Strategy strategy, Format format, const AdamWOptions& options);

/// Turns two warnings off or on; the environment variable MCT_WARNINGS=0 turns them off, too.
/// adamw_step and McAdamW warn on stderr, once in a process, when loses_second_moment is true, and
/// once when loses_weight_decay is true. McAdamW gives the second warning in its constructor;
/// adamw_step warns for weights of one T only, because its rate may belong to a warm-up.
void set_precision_warnings(bool on);

}  // namespace mct::optim
