// The suite's geometric operations.
#include "validation/core/geometry_task.hpp"

namespace mct::validation {

void add_geometry_tasks(TaskList& list) {
  add_geometry_of_type<double>(list, "f64x1");
  add_geometry_of_type<f64x2>(list, "f64x2");
  add_geometry_of_type<f64x3>(list, "f64x3");
  add_geometry_of_type<f64x4>(list, "f64x4");
  add_geometry_of_type<float>(list, "f32x1");
  add_geometry_of_type<f32x2>(list, "f32x2");
  add_geometry_of_type<bf16x2>(list, "bf16x2");
}

}  // namespace mct::validation
