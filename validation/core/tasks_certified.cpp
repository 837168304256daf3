// The suite's numbers that carry their error.
#include "validation/core/operations_certified.hpp"
#include "validation/core/typed_task.hpp"

namespace mct::validation {

void add_certified_tasks(TaskList& list) {
  add_tasks(list, certified_operations<double, 2>(), type_name<double, 2>());
  add_tasks(list, certified_operations<double, 3>(), type_name<double, 3>());
  add_tasks(list, certified_operations<float, 2>(), type_name<float, 2>());
}

}  // namespace mct::validation
