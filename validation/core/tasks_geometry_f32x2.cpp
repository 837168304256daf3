// The suite's geometric operations on f32x2.
#include "validation/core/geometry_task.hpp"

namespace mct::validation {

void add_geometry_f32x2_tasks(TaskList& list) { add_geometry_of_type<f32x2>(list, "f32x2"); }

}  // namespace mct::validation
