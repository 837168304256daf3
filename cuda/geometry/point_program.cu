#include "cuda/geometry/point_program.hpp"

#include "cuda/base/run_block.hpp"

MCT_COMPILE_PROGRAM(mct::cuda::PointProgram)
