// What a strategy cannot do with given options because its numbers are too short.
#pragma once

#include "mctensor/optim/adamw.hpp"

namespace mct::optim {

/// The largest beta2 with which a v of one T, rounded to nearest, still follows the gradients:
/// 1 - 2^-8 for bfloat16, 1 - 2^-11 for half. Beyond it (1 - beta2) v is less than half a unit of v
/// (for the least v of a binade, and below 1 - 2^-9 for all of them), so that v without gradients
/// does not fall any more; for the same reason it stops growing before it has reached them.
double largest_beta2(Format format);

/// True if v is kept in one T, rounded to nearest, and beta2 is above largest_beta2. Not of split8,
/// whose v is rounded stochastically (with 0.999999 it does not fall where it is below 10^-4 of its
/// block's largest).
bool loses_second_moment(Strategy strategy, Format format, double beta2);

/// True if the decay of a step, lr weight_decay (decoupled: schedule weight_decay), is less than
/// half a unit of every weight: 2^-9 of it for one bfloat16 rounded to nearest, 2^-18 for two,
/// 2^-12 and 2^-24 for half. One T then does not decay at all, theta + delta until delta is as
/// large as 2^8 (half: 2^11) decays. Gradients may carry it along. Never true of float weights, of
/// those that are rounded stochastically, and for WeightDecay::l2.
bool loses_weight_decay(Strategy strategy, Format format, const AdamWOptions& options);

/// adamw_step and McAdamW write one sentence to stderr, once in a process, when loses_second_moment
/// is true; and another one when loses_weight_decay is: McAdamW when it is made, adamw_step only of
/// weights of one T, because its rate may be that of a warm-up. This turns them off and on; so does
/// the environment variable MCT_WARNINGS=0.
void set_precision_warnings(bool on);

}  // namespace mct::optim
