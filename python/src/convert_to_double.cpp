// Tensors of every type as tensors of double.
#include "convert_to.hpp"

namespace mct::python {

AnyTensor convert_to_double(const AnyTensor& x, int components) {
  return convert_to<double>(x, components);
}

}  // namespace mct::python
