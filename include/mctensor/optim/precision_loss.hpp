// Functions that tell for which options the numbers of a strategy have too few bits.
#pragma once

#include "mctensor/optim/adamw.hpp"

namespace mct::optim {

/// The largest beta2 with which a second moment v of one T, rounded to nearest, still follows the
/// gradients: 1 - 2^-8 for bfloat16, 1 - 2^-11 for half. With a larger beta2, (1 - beta2) v can be
/// less than half a unit in the last place of v. Such a v does not fall when gradients become zero,
/// and it stops growing too early. (In bfloat16, a beta2 up to 1 - 2^-9 stops only the smallest v
/// between two powers of two; a larger beta2 stops every v.)
double largest_beta2(Format format);

/// True if v is kept in one T, rounded to nearest, and beta2 is above largest_beta2. False for
/// split8, whose v is rounded stochastically. (With beta2 = 0.999999, such a v does not fall while
/// it is below 10^-4 of the largest in its block.)
bool loses_second_moment(Strategy strategy, Format format, double beta2);

/// True if the decay of a step is less than half a unit in the last place of every weight. The
/// decay is lr weight_decay (decoupled: schedule weight_decay) times the weight. Half a unit is
/// 2^-9 of the weight for one bfloat16 rounded to nearest, 2^-18 for two bfloat16, and 2^-12 and
/// 2^-24 for one and two halves. A weight of one T then does not decay at all. A weight theta +
/// delta decays only until delta is as large as 2^8 (half: 2^11) decays. Decay may still have an
/// effect in steps in which a gradient moves the weight. False for float weights, for
/// stochastically rounded weights and for WeightDecay::l2.
bool loses_weight_decay(Strategy strategy, Format format, const AdamWOptions& options);

/// Turns two warnings off or on. The environment variable MCT_WARNINGS=0 turns them off, too.
/// adamw_step and McAdamW warn on stderr when loses_second_moment is true and when
/// loses_weight_decay is true, once in a process for each of the two. McAdamW gives the warning
/// about decay in its constructor. adamw_step gives it only for weights of one T, because its
/// learning rate may belong to a warm-up.
void set_precision_warnings(bool on);

}  // namespace mct::optim
