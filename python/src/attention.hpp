// Declarations that the files of attention share.
#pragma once

#include "any_tensor.hpp"

namespace mct::python {

void bind_attention_device(nb::module_& m);

}  // namespace mct::python
