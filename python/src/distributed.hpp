// Exact sums over processes.
#pragma once

#include "any_tensor.hpp"

namespace mct::python {

void bind_distributed(nb::module_& m);

}  // namespace mct::python
