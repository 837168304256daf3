// The formulas of the stereographic model, recorded for a sign of its curvature.
#include "src/geometry/programs/record_formula.hpp"

namespace mct::geometry_detail {
namespace {

struct CurvedSpace {
  static constexpr std::size_t radii = 1;
  template <class W>
  static auto formulas(const std::array<W, 1>& curvature) {
    return geometry::Stereographic<double>().formulas_at(curvature);
  }
};

}  // namespace

Results record_stereographic(TensorOperation operation, int n, unsigned wanted, int digits) {
  return record_model<geometry::detail::StereographicFormulas, geometry::Stereographic,
                      CurvedSpace>(operation, parts_of(Model::stereographic, n), wanted, digits);
}

}  // namespace mct::geometry_detail
