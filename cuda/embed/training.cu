// Training of embeddings.
#include "cuda/base/run_block.hpp"
#include "cuda/embed/draw_examples.hpp"
#include "cuda/embed/end_batch.hpp"
#include "cuda/embed/start_training.hpp"

namespace mct::cuda {

MCT_COMPILE_PROGRAM(DrawExamples)
MCT_COMPILE_PROGRAM(EndBatch)

void start_examples(const TrainingSpace& space, const ExampleLaunch& of, const Stream& stream) {
  AllTrainingPrograms::start_examples(space, of, stream);
}
void start_moves(const TrainingSpace& space, const MoveLaunch& of, const Stream& stream) {
  AllTrainingPrograms::start_moves(space, of, stream);
}

}  // namespace mct::cuda
