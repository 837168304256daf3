// Steps of embeddings: some places.
#include "cuda/base/run_block.hpp"
#include "cuda/embed/draw_examples.hpp"
#include "cuda/embed/end_batch.hpp"
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
MCT_COMPILE_PROGRAM(ExampleGradients<HalfSpacePlace<2, 2, false, double>, 8>)
MCT_COMPILE_PROGRAM(ExampleGradients<LorentzPlace<1, 3, double>, 8>)
MCT_COMPILE_PROGRAM(MoveRows<HalfSpacePlace<2, 2, false, double>, true>)
MCT_COMPILE_PROGRAM(MoveRows<BallPlace<1, 10, double>, false>)
MCT_COMPILE_PROGRAM(MoveRows<HalfSpacePlace<2, 2, true, double>, false>)

}  // namespace mct::cuda
