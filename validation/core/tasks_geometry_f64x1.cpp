// The suite's geometric operations on f64x1.
#include "validation/core/geometry_task.hpp"

namespace mct::validation {

void add_geometry_f64x1_tasks(TaskList& list) { add_geometry_of_type<double>(list, "f64x1"); }

}  // namespace mct::validation
