// Training an embedding on a GPU. Link mctensor::cuda.
#pragma once

#include <memory>

#include "mctensor/device/stream.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::cuda {

/// Throws DomainError, which names the option and what there is instead, for options that a device
/// has no steps for. There are steps for one factor of poincare and lorentz in one component and
/// 2, 5 or 10 dimensions, xmc-half-space in two components and 2, 5 or 10 dimensions, in one and
/// three and 2 dimensions, half-space in 2 dimensions and mc-half-space in two components and 2
/// dimensions; both optimizers; at most 63 negatives.
void check_device_training(const embed::TrainOptions& options);

/// A Trainer whose steps are made on a device. Points, losses, reports and files are those of
/// embed::Trainer for the same options, bit for bit: a training may stop here and go on there. It
/// computes in the order of the stream, on which nothing else may be given meanwhile, and brings
/// points back for `embedding` and `save`. Where the radius is learned, the CPU waits for every
/// batch; else for those of a call.
///
/// Throws DomainError as embed::Trainer and check_device_training; DeviceError, as do its methods;
/// MemoryError.
embed::Trainer device_trainer(std::shared_ptr<const embed::Graph> graph,
                              const embed::TrainOptions& options, const Stream& stream = Stream());

}  // namespace mct::cuda
