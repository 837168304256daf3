// Exact sums of rows.
#include "cuda/base/run_block.hpp"
#include "cuda/distributed/exact_row_sums.hpp"

MCT_COMPILE_PROGRAM(mct::cuda::ExactRowSums)
