// The suite's geometric operations on double and its sums of two.
#include "validation/core/geometry_task.hpp"

namespace mct::validation {

void add_geometry_double_tasks(TaskList& list) {
  add_geometry_of_type<double>(list, "f64x1");
  add_geometry_of_type<f64x2>(list, "f64x2");
}

}  // namespace mct::validation
