// Trains an embedding on a GPU. Link mctensor::cuda.
#pragma once

#include <memory>

#include "mctensor/device/stream.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::cuda {

/// Throws DomainError, with the option and the possible values, for options without steps on a
/// device. There are steps in float64 for spaces of one factor: ball and lorentz with one
/// component and 2, 5 or 10 dimensions; xmc-half-space with two components and 2, 5 or 10
/// dimensions, and with one or three components and 2 dimensions; half-space with 2 dimensions;
/// mc-half-space with two components and 2 dimensions. Both optimizers have steps; the number of
/// negatives is at most 63.
void check_device_training(const embed::TrainOptions& options);

/// A Trainer whose steps are made on a device. Points, losses, reports and files have the bits of
/// an embed::Trainer with the same options, so a training may stop on one and continue on the
/// other. The trainer computes in the order of the stream and copies points back for `embedding`
/// and `save`. Give the stream no other work meanwhile. If the radius is learned, the CPU waits
/// after every batch; otherwise once a call.
///
/// Throws DomainError as embed::Trainer and check_device_training; DeviceError, as do its methods;
/// MemoryError.
embed::Trainer device_trainer(std::shared_ptr<const embed::Graph> graph,
                              const embed::TrainOptions& options, const Stream& stream = Stream());

}  // namespace mct::cuda
