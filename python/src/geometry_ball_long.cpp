// The operations of PoincareBall, recorded in f64x2.
#include "geometry_model.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"

namespace mct::python {

void add_long_ball(ManifoldOperations& table) { enter_all_long<geometry::PoincareBall>(table); }

}  // namespace mct::python
