// The suite's geometric operations on bf16x2.
#include "validation/core/geometry_task.hpp"

namespace mct::validation {

void add_geometry_bf16x2_tasks(TaskList& list) { add_geometry_of_type<bf16x2>(list, "bf16x2"); }

}  // namespace mct::validation
