// The suite's operations on half components.
#include "validation/core/typed_task.hpp"

namespace mct::validation {

void add_half_tasks(TaskList& list) { add_component_tasks<half>(list); }

}  // namespace mct::validation
