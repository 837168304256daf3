// The operations of a model by their formulas, point by point, and the derivatives of them from the
// notes of traced.hpp: a FormulaTable. Compiled once for each model and number of limbs.
#pragma once

#include <cstddef>
#include <utility>

#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/registry.hpp"
#include "mctensor/geometry/traced_operands.hpp"
#include "src/geometry/registry/formula_table.hpp"
#include "src/geometry/registry/rows.hpp"

namespace mct::geometry_detail {

using geometry::Point;
using geometry::work_t;
using geometry::tensor_detail::Value;
namespace formulas = geometry::detail;

template <class W>
void put(double* rows, const Point<W>& x) {
  for (int c = 0; c < x.size(); ++c) put(rows + std::size_t(c) * rows_of<W>, x[c]);
}

/// Operand i of an operation: a number, or a point of n coordinates.
template <class Op, std::size_t i, class W>
auto operand_in(int n, const double* rows) {
  if constexpr (Op::operands[i] == 'n') {
    return number_in<W>(rows);
  } else {
    return formulas::generate<Point<W>>(
        n, [&](int c) { return number_in<W>(rows + std::size_t(c) * rows_of<W>); });
  }
}

/// The manifold in numbers of W.
template <template <class> class M, class W>
M<W> manifold_of(const double* radius) {
  return M<W>(number_in<W>(radius, 1));
}

template <class Op, template <class> class M, class V>
void value_by_formula(int n, std::size_t points, const double* radius, const double* const* in,
                      double* out) {
  using W = work_t<V>;
  const auto f = manifold_of<M, W>(radius).formulas();
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    for (std::size_t p = 0; p < points; ++p)
      put(out + p, Op::template on<V>(f, operand_in<Op, i, W>(n, in[i] + p)...));
  }
  (std::make_index_sequence<formulas::operand_count<Op>>());
}

/// Adds the derivatives of a result, weighted by its gradient, to those that the trace holds.
template <class W>
void add_seed(const formulas::Traced<W>& result, const double* rows) {
  formulas::Trace<W>::current().add(result.index, number_in<W>(rows));
}
template <class W>
void add_seed(const Point<formulas::Traced<W>>& result, const double* rows) {
  for (int c = 0; c < result.size(); ++c) add_seed(result[c], rows + std::size_t(c) * rows_of<W>);
}

template <class W>
void put_derivative(double* rows, const formulas::Traced<W>& x) {
  put(rows,
      x.index == 0 ? formulas::number<W>(0) : formulas::Trace<W>::current().derivative(x.index));
}
template <class W>
void put_derivative(double* rows, const Point<formulas::Traced<W>>& x) {
  for (int c = 0; c < x.size(); ++c) put_derivative(rows + std::size_t(c) * rows_of<W>, x[c]);
}

template <class Op, template <class> class M, class V>
void vjp_by_formula(int n, std::size_t points, const double* radius, const double* const* in,
                    const double* seed, double* const* gradients) {
  using W = work_t<V>;
  const auto m = manifold_of<M, W>(radius);
  const auto f = m.formulas();
  const auto at = [&]<class... X>(std::size_t p, const X&... x) {
    bool corner = false;
    if constexpr (formulas::has_corner_at_zero<Op>)
      corner = formulas::lead(Op::template on<V>(f, x...)) == 0;
    formulas::pass_back<Op, V>(
        m, f, [&](std::size_t k) { return gradients[k] != nullptr; },
        [&](const auto& result) {
          if (!corner) add_seed(result, seed + p);
        },
        [&](const auto& radii, const auto&... input) {
          double* const* next = gradients;
          const auto give = [&](const auto& derivative) {
            if (double* const rows = *next++) put_derivative(rows + p, derivative);
          };
          give(radii[0]);
          (give(input), ...);
        },
        x...);
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    for (std::size_t p = 0; p < points; ++p) at(p, operand_in<Op, i, W>(n, in[i] + p)...);
  }
  (std::make_index_sequence<formulas::operand_count<Op>>());
}

template <template <class> class M, class W>
void origin_by_formula(int n, const double* radius, double* rows) {
  put(rows, manifold_of<M, W>(radius).origin(n));
}

/// True if the formula needs the type that its result will be rounded to.
template <class Op, class F, class W, std::size_t... i>
constexpr bool asks_for_value(std::index_sequence<i...>) {
  if constexpr (requires { Op::template has<F>; }) {
    return !Op::template has<F, decltype(operand_in<Op, i, W>(0, nullptr))...>;
  } else {
    return false;
  }
}
/// Enters the operations of the model. All values of one work type have the same functions, unless
/// a formula needs the type of the result.
template <class Op, template <class> class M, class V>
constexpr void enter(ManifoldKernel& value, ManifoldVjp& vjp) {
  using W = work_t<V>;
  if constexpr (formulas::has_operation<Op, M<W>>()) {
    using F = decltype(std::declval<const M<W>&>().formulas());
    using All = std::make_index_sequence<formulas::operand_count<Op>>;
    using R = std::conditional_t<asks_for_value<Op, F, W>(All()), V, W>;
    value = &value_by_formula<Op, M, R>;
    if constexpr (MCT_GEOMETRY_DERIVATIVES) vjp = &vjp_by_formula<Op, M, R>;
  }
}
/// Empty for numbers of more than so many limbs.
template <template <class> class M, class V, int most>
constexpr FormulaTable make_formula_table() {
  using geometry::operation::convert;
  FormulaTable table{};
  if constexpr (most >= geometry::detail::limbs_of<V>) {
#define MCT_ENTER(op, kinds, gives)                                               \
  enter<geometry::operation::op, M, V>(table.operation[int(TensorOperation::op)], \
                                       table.vjp[int(TensorOperation::op)]);
    MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_ENTER)
#undef MCT_ENTER
#define MCT_ENTER(model, Class, name)                                     \
  enter<convert<geometry::Class>, M, V>(table.convert[int(Model::model)], \
                                        table.convert_vjp[int(Model::model)]);
    MCT_FOR_EACH_MODEL(MCT_ENTER)
#undef MCT_ENTER
    table.origin = &origin_by_formula<M, work_t<V>>;
  }
  return table;
}

/// The formulas of Model on numbers of Tensor<T, N>, compiled.
#define MCT_DEFINE_FORMULAS(model, Class, T, N)                        \
  template <>                                                          \
  const FormulaTable& formula_table<Model::model, Value<T, N>>() {     \
    static constexpr FormulaTable table =                              \
        make_formula_table<geometry::Class, Value<T, N>,               \
                           geometry::most_components(Model::model)>(); \
    return table;                                                      \
  }

}  // namespace mct::geometry_detail
