// Tensors of every type as tensors of float.
#include "convert_to.hpp"

namespace mct::python {

AnyTensor convert_to_float(const AnyTensor& x, int components) {
  return convert_to<float>(x, components);
}

}  // namespace mct::python
