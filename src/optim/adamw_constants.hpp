// The numbers of AdamW's options as its kernels compute with them.
#pragma once

#include "src/optim/kernels/adamw_table.hpp"

namespace mct::optim_detail {

/// What every step asks of its arguments: throws DomainError for options that validate refuses and
/// a step below 1.
void check_step(optim::Strategy strategy, optim::Format format, const optim::AdamWOptions& options,
                std::int64_t step);

/// The constants of a step. Throws DomainError naming an option, or what is made of some, that
/// becomes infinite in the format that the kernels compute in, or 0 though it is not. Those of step
/// 1 are the most extreme ones.
AdamWConstants constants_of(optim::Strategy strategy, optim::Format format,
                            const optim::AdamWOptions& options, std::int64_t step);

}  // namespace mct::optim_detail
