// The operations of a model by their formulas, where no kernel in lanes is compiled.
#pragma once

#include "src/geometry/kernels/manifold_table.hpp"

/// 0 in the library that the suite is linked to, which needs no derivatives.
#ifndef MCT_GEOMETRY_DERIVATIVES
#define MCT_GEOMETRY_DERIVATIVES 1
#endif

namespace mct::geometry_detail {

/// Functions as in ManifoldTable, for one model, which need no rows beyond the points. They throw
/// DomainError where the formula does.
struct FormulaTable {
  ManifoldKernel operation[int(TensorOperation::count)];
  ManifoldVjp vjp[int(TensorOperation::count)];
  ManifoldKernel convert[int(Model::count)];  // to
  ManifoldVjp convert_vjp[int(Model::count)];
  /// The rows of one point: the origin, of n coordinates.
  void (*origin)(int n, const double* radius, double* rows);
};

/// The table of a model for results that are rounded to V, a number of a tensor.
template <Model model, class V>
const FormulaTable& formula_table();

template <class V>
inline const FormulaTable& formulas_of(Model model) {
#define MCT_LIST(model, Class, name) &formula_table<Model::model, V>(),
  static const FormulaTable* const all[] = {MCT_FOR_EACH_MODEL(MCT_LIST)};
#undef MCT_LIST
  return *all[int(model)];
}

}  // namespace mct::geometry_detail
