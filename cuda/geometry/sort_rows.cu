#include "cuda/geometry/sort_rows.hpp"

#include "cuda/base/run_block.hpp"

namespace mct::cuda {

MCT_COMPILE_PROGRAM(SortTiles)
MCT_COMPILE_PROGRAM(MergeRuns)

}  // namespace mct::cuda
