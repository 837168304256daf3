// The operations of HalfSpace.
#include "geometry_model.hpp"
#include "mctensor/geometry/models/half_space.hpp"

namespace mct::python {

ManifoldOperations half_space_operations() { return operations_of<geometry::HalfSpace>(); }

}  // namespace mct::python
