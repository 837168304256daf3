// The suite's operations on double components.
#include "validation/core/typed_task.hpp"

namespace mct::validation {

void add_double_tasks(TaskList& list) { add_component_tasks<double>(list); }

}  // namespace mct::validation
