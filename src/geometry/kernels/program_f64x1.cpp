// The steps of programs on doubles, compiled once per instruction set.
#include "src/geometry/kernels/point_program_kernels.hpp"
#include "src/geometry/kernels/program_kernels.hpp"
#include "src/geometry/kernels/registry.hpp"

namespace mct::geometry_detail::MCT_KERNELS {

const StepTable& step_table() {
  static constexpr StepTable table = [] {
    StepTable all = kernels::make_step_table();
    kernels::enter_steps_on_points(all);
    return all;
  }();
  return table;
}

}  // namespace mct::geometry_detail::MCT_KERNELS
