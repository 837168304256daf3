// The operations of Lorentz.
#include "geometry_model.hpp"
#include "mctensor/geometry/models/lorentz.hpp"

namespace mct::python {

ManifoldOperations lorentz_operations() { return operations_of<geometry::Lorentz>(); }

}  // namespace mct::python
