// Sentences on stderr about what a strategy loses, once in a process.
#pragma once

#include "mctensor/optim/adamw.hpp"

namespace mct::optim_detail {

/// If loses_second_moment says so.
void warn_of_second_moment(optim::Strategy strategy, optim::Format format,
                           const optim::AdamWOptions& options);
/// If loses_weight_decay says so.
void warn_of_weight_decay(optim::Strategy strategy, optim::Format format,
                          const optim::AdamWOptions& options);
/// What a step warns of: the second moment, and weight decay where there is no low part (where
/// there is one, the function that rounds the weights knows it).
void warn_of_lost_precision(optim::Strategy strategy, optim::Format format,
                            const optim::AdamWOptions& options);

}  // namespace mct::optim_detail
