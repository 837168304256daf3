// The formulas of a model on numbers that are traced twice. Compiled once for each model.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/operate.hpp"
#include "src/geometry/registry/second.hpp"

namespace mct::geometry_detail {

using geometry::Model;
using geometry::Point;
using geometry::TensorOperation;

/// Operand i, where the operands before it end.
template <class Op, std::size_t i>
auto twice_traced(int n, const Twice*& next) {
  if constexpr (Op::operands[i] == 'n') {
    return *next++;
  } else {
    const Twice* const x = next;
    next += n;
    return geometry::detail::generate<Point<Twice>>(n, [&](int c) { return x[c]; });
  }
}
inline std::vector<Twice> in_a_row(const Twice& x) { return {x}; }
inline std::vector<Twice> in_a_row(const Point<Twice>& x) {
  std::vector<Twice> all(static_cast<std::size_t>(x.size()));
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = x[static_cast<int>(c)];
  return all;
}

/// A manifold, or cones in one, whose radii are then replaced.
template <class Space>
Space any_space() {
  return Space(Wide(1.0));
}

template <class Op, class Space, class V>
std::vector<Twice> second_formula(int n, std::span<const Twice> numbers) {
  std::array<Twice, Space::radii> k;
  std::copy_n(numbers.begin(), k.size(), k.begin());
  const auto f = any_space<Space>().formulas_at(k);
  const Twice* next = numbers.data() + k.size();
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    const std::tuple operands{twice_traced<Op, i>(n, next)...};
    return in_a_row(Op::template on<V>(f, std::get<i>(operands)...));
  }
  (std::make_index_sequence<geometry::detail::operand_count<Op>>());
}

/// True if the formula needs the type that its result will be rounded to.
template <class Op, class F, std::size_t... i>
constexpr bool asks_for_value(std::index_sequence<i...>) {
  if constexpr (requires { Op::template has<F>; }) {
    const Twice* next = nullptr;
    return !Op::template has<F, decltype(twice_traced<Op, i>(0, next))...>;
  } else {
    return false;
  }
}
template <class Op, class Space, class V>
constexpr void enter(SecondFormula& formula) {
  if constexpr (geometry::detail::has_operation<Op, Space>()) {
    using F =
        decltype(any_space<Space>().formulas_at(std::declval<std::array<Twice, Space::radii>>()));
    using All = std::make_index_sequence<geometry::detail::operand_count<Op>>;
    using R = std::conditional_t<asks_for_value<Op, F>(All()), V, double>;
    formula = &second_formula<Op, Space, R>;
  }
}

template <template <class> class M>
double unit_of(double radius, const double* x, int n) {
  const auto f = M<double>(radius).formulas();
  const auto point = geometry::detail::generate<Point<double>>(n, [&](int c) { return x[c]; });
  double unit = radius;
  if constexpr (requires { f.curvature; }) {
    unit = radius == 0 ? 1 : 1 / std::sqrt(std::fabs(radius));
    if (radius < 0) unit = unit * (1 + radius * squared_norm(point));
  } else if constexpr (requires { f.height(point); }) {
    unit = f.height(point);
  } else if constexpr (requires { f.gap(point); }) {
    unit = f.gap(point) / radius;
  }
  return unit > 0 ? unit : 0;
}

template <template <class> class M, class V>
constexpr SecondTable make_second_table() {
  using geometry::operation::convert;
  SecondTable table{};
#define MCT_ENTER(op, kinds, gives) \
  enter<geometry::operation::op, M<Wide>, V>(table.operation[int(TensorOperation::op)]);
  MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_ENTER)
#undef MCT_ENTER
#define MCT_ENTER(model, Class, name) \
  enter<convert<geometry::Class>, M<Wide>, V>(table.convert[int(Model::model)]);
  MCT_FOR_EACH_MODEL(MCT_ENTER)
#undef MCT_ENTER
  table.unit = &unit_of<M>;
  return table;
}

#define MCT_DEFINE_SECOND(model, Class, V)                                        \
  template <>                                                                     \
  const SecondTable& second_table<Model::model, V>() {                            \
    static constexpr SecondTable table = make_second_table<geometry::Class, V>(); \
    return table;                                                                 \
  }
#define MCT_DEFINE_SECONDS(model, Class)  \
  MCT_DEFINE_SECOND(model, Class, double) \
  MCT_DEFINE_SECOND(model, Class, float)  \
  MCT_DEFINE_SECOND(model, Class, half)   \
  MCT_DEFINE_SECOND(model, Class, bfloat16)

}  // namespace mct::geometry_detail
