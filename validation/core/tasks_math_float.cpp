// The suite's elementary functions of float components.
#include "validation/core/operations_math.hpp"
#include "validation/core/typed_task.hpp"

namespace mct::validation {

void add_math_float_tasks(TaskList& list) {
  add_tasks(list, math_operations<float, 2>(), type_name<float, 2>());
  add_tasks(list, math_operations<float, 3>(), type_name<float, 3>());
  add_tasks(list, math_operations<float, 4>(), type_name<float, 4>());
}

}  // namespace mct::validation
