// Recording of one model: for each operation the formula on symbols, alone or with its pass
// backward.
#pragma once

#include <array>
#include <string>
#include <tuple>
#include <utility>

#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/models/euclidean.hpp"
#include "mctensor/geometry/models/sphere.hpp"
#include "mctensor/geometry/models/stereographic.hpp"
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

/// The notes of so many radii: that of the manifold, and lengths, which stand after the operands.
template <std::size_t radii>
std::array<int, radii> notes_of_radii(std::size_t operands) {
  std::array<int, radii> notes;
  for (std::size_t i = 0; i < radii; ++i)
    notes[i] = i == 0 ? Recording::current().radius()
                      : Recording::current().input(int(operands + i) - 1, 0, false);
  return notes;
}

template <class Op, class Space, std::size_t... i>
Results record_operation(std::index_sequence<i...>, const Parts& parts, unsigned wanted) {
  auto& notes = Notes::current();
  notes.clear();
  constexpr std::size_t count = sizeof...(i);
  std::array<Number, Space::radii> radii;
  const auto of_radii = notes_of_radii<Space::radii>(count);
  for (std::size_t k = 0; k < radii.size(); ++k)
    radii[k] = given(of_radii[k], (wanted >> (k == 0 ? 0 : count + k) & 1) != 0);
  const auto f = Space::formulas(radii);
  const auto operands = std::make_tuple(recorded_operand<Op, i>(parts, wanted)...);
  const auto result = Op::template on<double>(f, std::get<i>(operands)...);
  notes.begin_backward();
  seed(parts, result);
  notes.backward();
  Results results;
  take(parts, 0, radii[0], results);
  (take(parts, int(i) + 1, std::get<i>(operands), results), ...);
  for (std::size_t k = 1; k < radii.size(); ++k) take(parts, int(count + k), radii[k], results);
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
template <class Op, class Space, class V, std::size_t... i>
Results record_value(std::index_sequence<i...>, const Parts& parts) {
  std::array<Symbol, Space::radii> radii;
  const auto of_radii = notes_of_radii<Space::radii>(sizeof...(i));
  for (std::size_t k = 0; k < radii.size(); ++k) radii[k] = Symbol::of(of_radii[k]);
  const auto f = Space::formulas(radii);
  Results results;
  give(parts, Op::template on<V>(f, symbolic_operand<Op, i>(parts)...), results);
  return results;
}

/// Space: a model or cones, with `formulas` of an array of radii; its operations are those of Of.
template <class Op, class Space, class Of>
Results record_if_there(const Parts& parts, unsigned wanted, [[maybe_unused]] int digits) {
  if constexpr (geometry::detail::has_operation<Op, Of>()) {
    using All = std::make_index_sequence<geometry::detail::operand_count<Op>>;
    if (const unsigned given = wanted >> 8; given != 0) {
      const auto first = record_operation<Op, Space>(All(), parts, given);
      const std::string kinds = Op::operands + std::string(Space::radii - 1, 'n');
      return record_second(parts, kinds, Op::result, parts, first, wanted & 0xff);
    }
    if (wanted != 0) return record_operation<Op, Space>(All(), parts, wanted);
    if constexpr (std::is_same_v<Op, geometry::operation::projx>) {
      if (digits == FloatTraits<float>::p) return record_value<Op, Space, float>(All(), parts);
      if (digits != FloatTraits<double>::p) throw NoProgram();
    }
    return record_value<Op, Space, double>(All(), parts);
  } else {
    throw NoProgram();
  }
}

/// The formulas of a model.
template <template <class> class Formulas>
struct ModelSpace {
  static constexpr std::size_t radii = 1;
  template <class W>
  static Formulas<W> formulas(const std::array<W, 1>& radius) {
    Formulas<W> f;
    f.radius = radius[0];
    return f;
  }
};

template <template <class> class Formulas, template <class> class Model,
          class Space = ModelSpace<Formulas>>
Results record_model(TensorOperation operation, const Parts& parts, unsigned wanted,
                     [[maybe_unused]] int digits) {
  switch (operation) {
#define MCT_RECORD(op, kinds, gives) \
  case TensorOperation::op:          \
    return record_if_there<geometry::operation::op, Space, Model<double>>(parts, wanted, digits);
    MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_RECORD)
#undef MCT_RECORD
    default:
      throw NoProgram();
  }
}

}  // namespace mct::geometry_detail
