// The state of training on a GPU. It lies in the device's memory, so that the launches of a step
// are the same for every batch.
#pragma once

#include <cstdint>

#include "cuda/base/record.hpp"

namespace mct::cuda {

struct TrainingState {
  // of the training
  std::uint64_t seed = 0;
  std::int64_t edges = 0;
  std::int64_t batch = 0;  ///< examples of a step
  // of the epoch
  double rate = 0;  ///< of steps: Steps::rate
  std::uint32_t epoch = 0;
  std::int32_t by_count = 0;  ///< negatives are drawn by their numbers of edges, not uniformly
  // of the next batch
  double radius = 1;
  std::int64_t number = 0;  ///< number of the batch in its epoch
  // of the last batch
  double slope = 0;  ///< derivative of its loss by the sharpness, if the radius is learned
  // of the batches so far
  double loss_sum = 0;
  std::int64_t stayed = 0;

  /// Examples of the batch: the last batch of an epoch has fewer.
  MCT_HD std::int64_t examples() const {
    const std::int64_t left = edges - number * batch;
    return left < batch ? left : batch;
  }
};

}  // namespace mct::cuda
