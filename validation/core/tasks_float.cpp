// The suite's operations on float components.
#include "validation/core/typed_task.hpp"

namespace mct::validation {

void add_float_tasks(TaskList& list) { add_component_tasks<float>(list); }

}  // namespace mct::validation
