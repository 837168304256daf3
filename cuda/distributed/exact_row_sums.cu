#include "cuda/distributed/exact_row_sums.hpp"

#include "cuda/base/run_block.hpp"

MCT_COMPILE_PROGRAM(mct::cuda::ExactRowSums)
