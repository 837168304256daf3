// Training of cones on small graphs, for tests.
#pragma once

#include "mctensor/embed/cone_training.hpp"

namespace mct::testing {

/// A validation every ten epochs; larger steps than a long run would take.
inline embed::ConeTrainingOptions quick(const embed::ConeSystem& cones, int epochs) {
  embed::ConeTrainingOptions options;
  options.cones = cones;
  options.epochs = epochs;
  options.burn_in = 5;
  options.check_every = 10;
  options.lr = 0.05;
  options.seed = 3;
  return options;
}
/// Until so many epochs are done.
inline void run(embed::ConeTrainer& trainer, int epochs) {
  while (trainer.epochs() < epochs) trainer.advance(trainer.batches_in_epoch());
}

}  // namespace mct::testing
