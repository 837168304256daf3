// The suite's geometric operations on f32x1.
#include "validation/core/geometry_task.hpp"

namespace mct::validation {

void add_geometry_f32x1_tasks(TaskList& list) { add_geometry_of_type<float>(list, "f32x1"); }

}  // namespace mct::validation
