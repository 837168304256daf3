// Functions of expansions without tensor kernels.
#pragma once

#include <nanobind/nanobind.h>

namespace mct::python {

/// Enters these functions into the module.
void bind_mapped(nanobind::module_& m);

}  // namespace mct::python
