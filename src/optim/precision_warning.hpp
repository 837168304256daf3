// Sentences on stderr about the precision that a strategy loses, once in a process.
#pragma once

#include "mctensor/optim/adamw.hpp"

namespace mct::optim_detail {

/// Warns if loses_second_moment is true.
void warn_of_second_moment(optim::Strategy strategy, optim::Format format,
                           const optim::AdamWOptions& options);
/// Warns if loses_weight_decay is true.
void warn_of_weight_decay(optim::Strategy strategy, optim::Format format,
                          const optim::AdamWOptions& options);
/// The warnings of a step: about the second moment, and about weight decay without a low part (with
/// a low part, the function that rounds the weights warns).
void warn_of_lost_precision(optim::Strategy strategy, optim::Format format,
                            const optim::AdamWOptions& options);

}  // namespace mct::optim_detail
