// Tensors of every type as tensors of bfloat16.
#include "convert_to.hpp"

namespace mct::python {

AnyTensor convert_to_bfloat16(const AnyTensor& x, int components) {
  return convert_to<bfloat16>(x, components);
}

}  // namespace mct::python
