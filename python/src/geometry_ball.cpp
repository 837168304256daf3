// The operations of PoincareBall.
#include "geometry_model.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"

namespace mct::python {

ManifoldOperations ball_operations() { return operations_of<geometry::PoincareBall>(); }

}  // namespace mct::python
