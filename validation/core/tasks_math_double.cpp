// The suite's elementary functions of double components.
#include "validation/core/operations_math.hpp"
#include "validation/core/typed_task.hpp"

namespace mct::validation {

void add_math_double_tasks(TaskList& list) {
  add_tasks(list, math_operations<double, 2>(), type_name<double, 2>());
  add_tasks(list, math_operations<double, 3>(), type_name<double, 3>());
  add_tasks(list, math_operations<double, 4>(), type_name<double, 4>());
}

}  // namespace mct::validation
