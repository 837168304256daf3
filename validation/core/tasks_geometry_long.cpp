// The suite's geometric operations on sums of three and four doubles.
#include "validation/core/geometry_task.hpp"

namespace mct::validation {

void add_geometry_long_tasks(TaskList& list) {
  add_geometry_of_type<f64x3>(list, "f64x3");
  add_geometry_of_type<f64x4>(list, "f64x4");
}

}  // namespace mct::validation
