// Declarations that the files of geometry share.
#pragma once

#include <string>
#include <vector>

#include "any_tensor.hpp"

namespace mct::python {

/// Throws TypeError: an operation takes another number of operands.
[[noreturn]] void throw_count(const std::string& name, const std::string& kinds,
                              const std::vector<AnyTensor>& operands);

void bind_means(nb::module_& m);
void bind_rounding(nb::module_& m);
void bind_geometry_device(nb::module_& m);
void bind_cones(nb::module_& m);
void bind_tilings(nb::module_& m);

}  // namespace mct::python
