// Trains an embedding on a GPU. Link mctensor::cuda.
#pragma once

#include <memory>

#include "mctensor/device/stream.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::cuda {

/// Throws DomainError, with the option and the possible values, if a device cannot train with these
/// options. A device trains in float64, in spaces of one factor:
/// - ball and lorentz with one component and 2, 5 or 10 dimensions;
/// - xmc-half-space with two components and 2, 5 or 10 dimensions;
/// - xmc-half-space with one or three components and 2 dimensions;
/// - half-space with 2 dimensions;
/// - mc-half-space with two components and 2 dimensions.
/// Both optimizers are possible. The number of negatives is at most 63.
void check_device_training(const embed::TrainOptions& options);

/// A Trainer whose steps run on a device. Points, losses, reports and files have the bits of an
/// embed::Trainer with the same options. So a training may stop on the CPU and continue on the
/// device, or the other way round. The trainer computes in the order of the stream, and copies
/// points back for `embedding` and `save`. Give the stream no other work meanwhile. If the radius
/// is learned, the CPU waits for the device after every batch, otherwise once in each call.
///
/// Throws DomainError as embed::Trainer and check_device_training, and MemoryError. This function
/// and the methods of the trainer throw DeviceError.
embed::Trainer device_trainer(std::shared_ptr<const embed::Graph> graph,
                              const embed::TrainOptions& options, const Stream& stream = Stream());

}  // namespace mct::cuda
