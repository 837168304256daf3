// The suite's functions of plain numbers.
#include "validation/core/operations_math.hpp"
#include "validation/core/typed_task.hpp"

namespace mct::validation {

void add_plain_tasks(TaskList& list) {
  add_tasks(list, math_operations<double, 1>(), type_name<double, 1>());
  add_tasks(list, math_operations<float, 1>(), type_name<float, 1>());
  add_tasks(list, math_operations<half, 1>(), type_name<half, 1>());
  add_tasks(list, math_operations<bfloat16, 1>(), type_name<bfloat16, 1>());
}

}  // namespace mct::validation
