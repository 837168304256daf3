// The operations of Lorentz, recorded in f64x2.
#include "geometry_model.hpp"
#include "mctensor/geometry/models/lorentz.hpp"

namespace mct::python {

void add_long_lorentz(ManifoldOperations& table) { enter_all_long<geometry::Lorentz>(table); }

}  // namespace mct::python
