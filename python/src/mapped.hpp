// Functions of expansions that have no kernels of tensors.
#pragma once

#include <nanobind/nanobind.h>

namespace mct::python {

/// Enters them into the module.
void bind_mapped(nanobind::module_& m);

}  // namespace mct::python
