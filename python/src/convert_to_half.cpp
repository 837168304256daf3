// Tensors of every type as tensors of half.
#include "convert_to.hpp"

namespace mct::python {

AnyTensor convert_to_half(const AnyTensor& x, int components) {
  return convert_to<half>(x, components);
}

}  // namespace mct::python
