// Points of hyperbolic space on a GPU.
#pragma once

#include "bench/cuda/table.hpp"

namespace mct::bench {

/// Operations on points, steps of optimizers, and of training an embedding.
void measure_geometry(Table& table, const cuda::Device& device);

}  // namespace mct::bench
