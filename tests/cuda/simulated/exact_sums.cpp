// Exact sums of rows on the simulated device.
#include "cuda/distributed/exact_row_sums.hpp"
#include "tests/cuda/simulator/device.hpp"

MCT_SIMULATE_PROGRAM(mct::cuda::ExactRowSums)
