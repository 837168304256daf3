// The conversions between plain formats, compiled once per instruction set.
#include "src/tensor/kernels/convert_loops.hpp"
#include "src/tensor/kernels/convert_table.hpp"

namespace mct::tensor_detail::MCT_KERNELS {

MCT_FOR_EACH_CONVERSION(MCT_DEFINE_CONVERT)

}  // namespace mct::tensor_detail::MCT_KERNELS
