// Operations of manifolds by their formulas, point by point: what the registry calls where no
// kernel in lanes is compiled. Rows are those of src/geometry/kernels/manifold_table.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/autograd.hpp"
#include "src/geometry/kernels/manifold_table.hpp"

namespace mct::geometry_detail {

using geometry::Point;
using geometry::work_t;
namespace formulas = geometry::detail;

/// A number of W in one lane: its limbs are a row apart.
template <class W>
W number_in(const double* rows) {
  if constexpr (is_expansion_v<W>) {
    W x;
    for (int k = 0; k < W::components; ++k) x.limb[k] = rows[std::size_t(k) * block];
    return x;
  } else {
    return *rows;
  }
}
template <class W>
void put(double* rows, const W& x) {
  if constexpr (is_expansion_v<W>) {
    for (int k = 0; k < W::components; ++k) rows[std::size_t(k) * block] = x.limb[k];
  } else {
    *rows = x;
  }
}
template <class W>
inline constexpr std::size_t coordinate_rows = block* std::size_t(formulas::limbs_of<W>);

/// Operand i of an operation: a number, or a point of n coordinates.
template <class Op, std::size_t i, class W>
auto operand_in(int n, const double* rows) {
  if constexpr (Op::operands[i] == 'n') {
    return number_in<W>(rows);
  } else {
    Point<W> x = Point<W>::of_size(n);
    for (int c = 0; c < n; ++c) x[c] = number_in<W>(rows + std::size_t(c) * coordinate_rows<W>);
    return x;
  }
}
template <class W>
void put(double* rows, const Point<W>& x) {
  for (int c = 0; c < x.size(); ++c) put(rows + std::size_t(c) * coordinate_rows<W>, x[c]);
}

/// The limbs of a radius.
template <class W>
W radius_in(const double* limbs) {
  if constexpr (is_expansion_v<W>) {
    W x;
    for (int k = 0; k < W::components; ++k) x.limb[k] = limbs[k];
    return x;
  } else {
    return *limbs;
  }
}

template <class Op, template <class> class M, class V, std::size_t... i>
void each_value(std::index_sequence<i...>, int n, std::size_t points, const double* radius,
                const double* const* in, double* out) {
  using W = work_t<V>;
  const auto f = M<W>(radius_in<W>(radius)).formulas();
  for (std::size_t p = 0; p < points; ++p)
    put(out + p, Op::template on<V>(f, operand_in<Op, i, W>(n, in[i] + p)...));
}
template <class Op, template <class> class M, class V>
void value_by_formula(int n, std::size_t points, const double* radius, const double* const* in,
                      double* out) {
  each_value<Op, M, V>(std::make_index_sequence<formulas::operand_count<Op>>(), n, points, radius,
                       in, out);
}

/// What an operand is in a trace.
template <class W>
using Traces = formulas::Traced<W>;

/// Writes the derivatives by a number or point of a trace.
template <class W>
void put_derivative(double* rows, const Traces<W>& x) {
  put(rows, x.index == 0 ? formulas::number<W>(0) : formulas::Trace<W>::current().derivative(x.index));
}
template <class W>
void put_derivative(double* rows, const Point<Traces<W>>& x) {
  for (int c = 0; c < x.size(); ++c)
    put_derivative(rows + std::size_t(c) * coordinate_rows<W>, x[c]);
}
template <class W>
void add_seed(const Traces<W>& result, const double* rows) {
  formulas::Trace<W>::current().add(result.index, number_in<W>(rows));
}
template <class W>
void add_seed(const Point<Traces<W>>& result, const double* rows) {
  for (int c = 0; c < result.size(); ++c)
    add_seed(result[c], rows + std::size_t(c) * coordinate_rows<W>);
}

template <class Op, template <class> class M, class V, std::size_t... i>
void each_derivative(std::index_sequence<i...>, int n, std::size_t points, const double* radius,
                     const double* const* in, const double* seed, double* const* gradients) {
  using W = work_t<V>;
  const M<W> m(radius_in<W>(radius));
  const auto f = m.formulas();
  auto& trace = formulas::Trace<W>::current();
  for (std::size_t p = 0; p < points; ++p) {
    trace.clear();
    const std::array<Traces<W>, 1> k{formulas::traced_input(m.radius(), gradients[0] != nullptr)};
    const auto given = std::make_tuple(operand_in<Op, i, W>(n, in[i] + p)...);
    const auto unit = formulas::vector_unit(f, std::get<i>(given)...);
    const auto inputs = std::make_tuple(
        formulas::traced_input(std::get<i>(given), gradients[i + 1] != nullptr, unit)...);
    const auto result = Op::template on<V>(m.formulas_at(k), std::get<i>(inputs)...);
    trace.begin_backward();
    add_seed(result, seed + p);
    trace.backward();
    if (gradients[0] != nullptr) put_derivative(gradients[0] + p, k[0]);
    ((gradients[i + 1] != nullptr ? put_derivative(gradients[i + 1] + p, std::get<i>(inputs)) : void()), ...);
  }
}
template <class Op, template <class> class M, class V>
void derivative_by_formula(int n, std::size_t points, const double* radius, const double* const* in,
                           const double* seed, double* const* gradients) {
  each_derivative<Op, M, V>(std::make_index_sequence<formulas::operand_count<Op>>(), n, points, radius,
                       in, seed, gradients);
}

}  // namespace mct::geometry_detail
