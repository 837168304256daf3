// The suite's operations on bfloat16 components.
#include "validation/core/typed_task.hpp"

namespace mct::validation {

void add_bfloat16_tasks(TaskList& list) { add_component_tasks<bfloat16>(list); }

}  // namespace mct::validation
