// The programs of training on a simulated device.
#include "cuda/embed/start_training.hpp"

#include "cuda/embed/draw_examples.hpp"
#include "cuda/embed/end_batch.hpp"
#include "tests/cuda/simulator/device.hpp"

MCT_SIMULATE_PROGRAM(DrawExamples)
MCT_SIMULATE_PROGRAM(SortTiles)
MCT_SIMULATE_PROGRAM(MergeRuns)
MCT_SIMULATE_PROGRAM(EndBatch)

namespace mct::cuda {

void start_examples(const TrainingSpace& space, const ExampleLaunch& of, const Stream& stream) {
  AllTrainingPrograms::start_examples(space, of, stream);
}
void start_moves(const TrainingSpace& space, const MoveLaunch& of, const Stream& stream) {
  AllTrainingPrograms::start_moves(space, of, stream);
}

}  // namespace mct::cuda
