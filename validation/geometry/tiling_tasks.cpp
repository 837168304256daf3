// The tilings in the suite.
#include "validation/core/task.hpp"
#include "validation/geometry/tiling_task.hpp"

namespace mct::validation {

namespace {

template <class Tiling>
void add_checks(TaskList& list, const std::string& prefix, const std::string& type) {
  const auto add = [&](TilingCheck check, const char* name) {
    list.push_back(std::make_unique<TilingTask<Tiling>>(check, prefix + name, type));
  };
  add(TilingCheck::dist, "_dist");
  add(TilingCheck::expmap, "_expmap");
  add(TilingCheck::convert, "_convert");
}
template <class V>
void add_type(TaskList& list, const std::string& type) {
  add_checks<geometry::LTiling<V>>(list, "l_tiling", type);
  add_checks<geometry::HTiling<V, 2>>(list, "h_tiling", type);
}

}  // namespace

void add_tiling_tasks(TaskList& list) {
  add_type<float>(list, "f32x1");
  add_type<double>(list, "f64x1");
  add_type<f64x2>(list, "f64x2");
}

}  // namespace mct::validation
