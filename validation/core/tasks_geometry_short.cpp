// The suite's geometric operations on float, its sums of two and those of bfloat16.
#include "validation/core/geometry_task.hpp"

namespace mct::validation {

void add_geometry_short_tasks(TaskList& list) {
  add_geometry_of_type<float>(list, "f32x1");
  add_geometry_of_type<f32x2>(list, "f32x2");
  add_geometry_of_type<bf16x2>(list, "bf16x2");
}

}  // namespace mct::validation
