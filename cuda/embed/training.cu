// Training of embeddings: half-spaces, balls and hyperboloids of two and ten dimensions.
#include "cuda/base/run_block.hpp"
#include "cuda/embed/draw_examples.hpp"
#include "cuda/embed/example_gradients.hpp"
#include "cuda/embed/move_rows.hpp"

namespace mct::cuda {

using kernels::BallPlace;
using kernels::HalfSpacePlace;
using kernels::LorentzPlace;

MCT_COMPILE_PROGRAM(DrawExamples)
MCT_COMPILE_PROGRAM(SortTiles)
MCT_COMPILE_PROGRAM(MergeRuns)
MCT_COMPILE_PROGRAM(EndBatch)

#define MCT_TRAINING(...)                               \
  MCT_COMPILE_PROGRAM(ExampleGradients<__VA_ARGS__, 8>) \
  MCT_COMPILE_PROGRAM(MoveRows<__VA_ARGS__, false>)     \
  MCT_COMPILE_PROGRAM(MoveRows<__VA_ARGS__, true>)      \
  MCT_COMPILE_PROGRAM(StepRows<__VA_ARGS__, false>)     \
  MCT_COMPILE_PROGRAM(StepRows<__VA_ARGS__, true>)

MCT_TRAINING(HalfSpacePlace<1, 2, false, double>)
MCT_TRAINING(HalfSpacePlace<2, 2, false, double>)
MCT_TRAINING(HalfSpacePlace<2, 10, false, double>)
MCT_TRAINING(BallPlace<1, 2, double>)
MCT_TRAINING(BallPlace<1, 10, double>)
MCT_TRAINING(LorentzPlace<1, 3, double>)
MCT_TRAINING(LorentzPlace<1, 11, double>)

#undef MCT_TRAINING

}  // namespace mct::cuda
