// The operations of HalfSpace, recorded in f64x2.
#include "geometry_model.hpp"
#include "mctensor/geometry/models/half_space.hpp"

namespace mct::python {

void add_long_half_space(ManifoldOperations& table) { enter_all_long<geometry::HalfSpace>(table); }

}  // namespace mct::python
