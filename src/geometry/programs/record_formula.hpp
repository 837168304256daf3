// Recording of one model: for each operation the formula on symbols, alone or with its pass
// backward.
#pragma once

#include <tuple>
#include <utility>

#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/operate.hpp"
#include "src/geometry/programs/record.hpp"
#include "src/geometry/programs/record_second.hpp"
#include "src/geometry/programs/symbol.hpp"

namespace mct::geometry_detail {

using geometry::Point;
using Number = geometry::detail::Traced<Symbol>;

inline Number given(int note, bool wanted) {
  return wanted ? Number::input(Symbol::of(note)) : Number::constant(Symbol::of(note));
}
inline Point<Number> point_of(const Parts& parts, int operand, bool wanted) {
  Point<Number> x = Point<Number>::of_size(parts.count);
  for (int i = 0; i < parts.count; ++i)
    x[i] = given(Recording::current().input(operand, parts.row(i), parts.is_vector(i)), wanted);
  return x;
}
inline Point<Symbol> symbols_of(const Parts& parts, int operand) {
  Point<Symbol> x = Point<Symbol>::of_size(parts.count);
  for (int i = 0; i < parts.count; ++i)
    x[i] = Symbol::of(Recording::current().input(operand, parts.row(i), parts.is_vector(i)));
  return x;
}
template <class Op, std::size_t i>
auto symbolic_operand(const Parts& parts) {
  if constexpr (Op::operands[i] == 'n') {
    return Symbol::of(Recording::current().input(int(i), 0, false));
  } else {
    return symbols_of(parts, int(i));
  }
}
template <class Op, std::size_t i>
auto recorded_operand(const Parts& parts, unsigned wanted) {
  const bool is_wanted = (wanted >> (i + 1) & 1) != 0;
  if constexpr (Op::operands[i] == 'n') {
    return given(Recording::current().input(int(i), 0, false), is_wanted);
  } else {
    return point_of(parts, int(i), is_wanted);
  }
}

inline void seed(const Parts&, const Number& result) {
  Notes::current().add(result.index,
                       Symbol::of(Recording::current().input(seed_operand, 0, false)));
}
inline void seed(const Parts& parts, const Point<Number>& result) {
  const auto grad = point_of(parts, seed_operand, false);
  for (int i = 0; i < result.size(); ++i) Notes::current().add(result[i].index, grad[i].value);
}

inline void take(int gradient, int row, int rows, bool is_vector, const Number& x,
                 Results& results) {
  if (x.index == 0) return;
  results.push_back({gradient, row, rows, is_vector, {}});
  for (const auto& term : Notes::current().derivative(x.index))
    results.back().terms.emplace_back(term.factor.note, term.vector.note);
}
inline void take(const Parts&, int gradient, const Number& x, Results& results) {
  take(gradient, 0, 1, false, x, results);
}
inline void take(const Parts& parts, int gradient, const Point<Number>& x, Results& results) {
  for (int i = 0; i < x.size(); ++i)
    take(gradient, parts.row(i), parts.rows(i), parts.is_vector(i), x[i], results);
}

template <class Op, class F, std::size_t... i>
Results record_operation(std::index_sequence<i...>, const Parts& parts, unsigned wanted) {
  auto& notes = Notes::current();
  notes.clear();
  F f;
  f.radius = given(Recording::current().radius(), (wanted & 1) != 0);
  const auto operands = std::make_tuple(recorded_operand<Op, i>(parts, wanted)...);
  const auto result = Op::template on<double>(f, std::get<i>(operands)...);
  notes.begin_backward();
  seed(parts, result);
  notes.backward();
  Results results;
  take(parts, 0, f.radius, results);
  (take(parts, int(i) + 1, std::get<i>(operands), results), ...);
  return results;
}
inline void give(const Parts&, const Symbol& x, Results& results) {
  results.push_back({0, 0, 1, false, {{Symbol(1.0).note, x.note}}});
}
inline void give(const Parts& parts, const Point<Symbol>& x, Results& results) {
  for (int i = 0; i < x.size(); ++i)
    results.push_back(
        {0, parts.row(i), parts.rows(i), parts.is_vector(i), {{Symbol(1.0).note, x[i].note}}});
}
template <class Op, class F, class V, std::size_t... i>
Results record_value(std::index_sequence<i...>, const Parts& parts) {
  F f;
  f.radius = Symbol::of(Recording::current().radius());
  Results results;
  give(parts, Op::template on<V>(f, symbolic_operand<Op, i>(parts)...), results);
  return results;
}

template <class Op, template <class> class Formulas, template <class> class Model>
Results record_if_there(const Parts& parts, unsigned wanted, [[maybe_unused]] int digits) {
  if constexpr (geometry::detail::has_operation<Op, Model<double>>()) {
    using All = std::make_index_sequence<geometry::detail::operand_count<Op>>;
    if (const unsigned given = wanted >> 8; given != 0) {
      const auto first = record_operation<Op, Formulas<Number>>(All(), parts, given);
      return record_second(parts, Op::operands, Op::result, first, wanted & 0xff);
    }
    if (wanted != 0) return record_operation<Op, Formulas<Number>>(All(), parts, wanted);
    if constexpr (std::is_same_v<Op, geometry::operation::projx>) {
      if (digits == FloatTraits<float>::p)
        return record_value<Op, Formulas<Symbol>, float>(All(), parts);
      if (digits != FloatTraits<double>::p) throw NoProgram();
    }
    return record_value<Op, Formulas<Symbol>, double>(All(), parts);
  } else {
    throw NoProgram();
  }
}

template <template <class> class Formulas, template <class> class Model>
Results record_model(TensorOperation operation, const Parts& parts, unsigned wanted,
                     [[maybe_unused]] int digits) {
  switch (operation) {
#define MCT_RECORD(op, kinds, gives) \
  case TensorOperation::op:          \
    return record_if_there<geometry::operation::op, Formulas, Model>(parts, wanted, digits);
    MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_RECORD)
#undef MCT_RECORD
    default:
      throw NoProgram();
  }
}

}  // namespace mct::geometry_detail
