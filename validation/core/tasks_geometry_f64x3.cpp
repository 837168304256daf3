// The suite's geometric operations on f64x3.
#include "validation/core/geometry_task.hpp"

namespace mct::validation {

void add_geometry_f64x3_tasks(TaskList& list) { add_geometry_of_type<f64x3>(list, "f64x3"); }

}  // namespace mct::validation
