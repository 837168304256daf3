// The suite's functions of plain numbers.
#include "validation/core/operations_plain.hpp"
#include "validation/core/typed_task.hpp"

namespace mct::validation {

void add_plain_tasks(TaskList& list) {
  add_tasks(list, plain_operations<double>(), type_name<double, 1>());
  add_tasks(list, plain_operations<float>(), type_name<float, 1>());
  add_tasks(list, plain_operations<half>(), type_name<half, 1>());
  add_tasks(list, plain_operations<bfloat16>(), type_name<bfloat16, 1>());
}

}  // namespace mct::validation
