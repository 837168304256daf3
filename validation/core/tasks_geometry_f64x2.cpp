// The suite's geometric operations on f64x2.
#include "validation/core/geometry_task.hpp"

namespace mct::validation {

void add_geometry_f64x2_tasks(TaskList& list) { add_geometry_of_type<f64x2>(list, "f64x2"); }

}  // namespace mct::validation
