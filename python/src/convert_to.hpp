// Conversion of any tensor to one component type. Each type has its own file, because it has 56
// functions.
#pragma once

#include "any_tensor.hpp"
#include "mctensor/tensor/convert.hpp"

namespace mct::python {

template <class U>
AnyTensor convert_to(const AnyTensor& x, int components) {
  return std::visit(
      [&](const auto& a) -> AnyTensor {
        if (components == 1) return wrap(convert<U, 1>(a));
        if (components == 2) return wrap(convert<U, 2>(a));
        if (components == 3) return wrap(convert<U, 3>(a));
        if constexpr (sizeof(U) >= sizeof(float)) return wrap(convert<U, 4>(a));
        throw nb::type_error("a 16-bit type has at most three components");
      },
      x.tensor);
}

}  // namespace mct::python
