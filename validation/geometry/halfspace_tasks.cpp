// The half-space representations in the suite.
#include "validation/core/operations_convert.hpp"
#include "validation/geometry/halfspace_task.hpp"

namespace mct::validation {

namespace {

using geometry::LogHalfSpace;
using geometry::McHalfSpace;
using geometry::XmcHalfSpace;

/// Stored points are checked where the theorem says something: up to 20 beyond where it breaks.
template <template <class, int> class Space, class T, int M>
void add_checks(TaskList& list, const std::string& prefix) {
  using Task = HalfSpaceTask<Space<T, M>, T, M>;
  const std::string type = fmt::format("{}x{}", std::is_same_v<T, double> ? "f64" : "f32", M);
  const double farthest = std::is_same_v<T, double> ? 600 : 60;
  const double digits = M * FloatTraits<T>::p * 0.693;
  list.push_back(std::make_unique<Task>(HalfSpaceCheck::store, prefix + "_store", type,
                                        std::min(farthest, digits + 20)));
  list.push_back(std::make_unique<Task>(HalfSpaceCheck::dist, prefix + "_dist", type, farthest));
  list.push_back(
      std::make_unique<Task>(HalfSpaceCheck::expmap, prefix + "_expmap", type, farthest));
}

}  // namespace

void add_halfspace_tasks(TaskList& list) {
  add_checks<XmcHalfSpace, double, 1>(list, "xmc_halfspace");
  add_checks<XmcHalfSpace, double, 2>(list, "xmc_halfspace");
  add_checks<XmcHalfSpace, double, 3>(list, "xmc_halfspace");
  add_checks<XmcHalfSpace, double, 4>(list, "xmc_halfspace");
  add_checks<XmcHalfSpace, double, 20>(list, "xmc_halfspace");
  add_checks<XmcHalfSpace, float, 2>(list, "xmc_halfspace");
  add_checks<McHalfSpace, double, 2>(list, "mc_halfspace");
  add_checks<McHalfSpace, double, 4>(list, "mc_halfspace");
  add_checks<LogHalfSpace, double, 2>(list, "log_halfspace");
}

}  // namespace mct::validation
