// Some operations on tensors: arithmetic, a function, sums, extremes.
#include "cuda/base/run_block.hpp"
#include "cuda/tensor/extremes.hpp"
#include "cuda/tensor/pointwise.hpp"
#include "cuda/tensor/sums.hpp"

namespace mct::cuda {

MCT_COMPILE_PROGRAM(BinaryMap<Binary::add, double, 2>)
MCT_COMPILE_PROGRAM(BinaryMap<Binary::mul, double, 2>)
MCT_COMPILE_PROGRAM(UnaryMap<Unary::exp, double, 1>)
MCT_COMPILE_PROGRAM(PieceSums<double, 2>)
MCT_COMPILE_PROGRAM(JoinSums<double, 2>)
MCT_COMPILE_PROGRAM(PieceExtremes<float, 1>)

}  // namespace mct::cuda
