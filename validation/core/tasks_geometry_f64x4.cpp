// The suite's geometric operations on f64x4.
#include "validation/core/geometry_task.hpp"

namespace mct::validation {

void add_geometry_f64x4_tasks(TaskList& list) { add_geometry_of_type<f64x4>(list, "f64x4"); }

}  // namespace mct::validation
