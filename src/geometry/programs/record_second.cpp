#include "src/geometry/programs/record_second.hpp"

namespace mct::geometry_detail {
namespace {

using geometry::detail::noted_step;

/// The partial derivatives of a note by its operands. A rounding error is zero apart from rounding,
/// and so are its derivatives. Where a mask or a pivot changes, there are no derivatives.
void note_partials(Notes& notes, int k) {
  const Note x = Recording::current()[k];
  const Symbol one(1.0);
  const Symbol result = Symbol::of(k);
  const auto by = [&](int operand, const Symbol& partial) {
    if (Recording::current()[operand].step != Step::constant) notes.note(operand + 1, partial);
  };
  const auto value = [](int operand) { return Symbol::of(operand); };
  switch (x.step) {
    case Step::add:
      by(x.a, one);
      by(x.b, one);
      break;
    case Step::subtract:
      by(x.a, one);
      by(x.b, -one);
      break;
    case Step::multiply:
    case Step::dot:
    case Step::long_dot:
      by(x.a, value(x.b));
      by(x.b, value(x.a));
      break;
    case Step::divide:
      by(x.a, one / value(x.b));
      by(x.b, -(result / value(x.b)));
      break;
    case Step::root:
      by(x.a, Symbol(0.5) / result);
      break;
    case Step::absolute:
      by(x.a, blend(value(x.a) < Symbol(0.0), -one, one));
      break;
    case Step::log1p:
      by(x.a, one / (one + value(x.a)));
      break;
    case Step::expm1:
      by(x.a, one + result);
      break;
    case Step::log:
      by(x.a, one / value(x.a));
      break;
    case Step::angle: {
      const Symbol square = value(x.a) * value(x.a) + value(x.b) * value(x.b);
      by(x.a, value(x.b) / square);
      by(x.b, -(value(x.a) / square));
      break;
    }
    case Step::sine:
      by(x.a, noted_step(Step::cosine, value(x.a)));
      break;
    case Step::cosine:
      by(x.a, -noted_step(Step::sine, value(x.a)));
      break;
    case Step::choose:
      by(x.b, noted_step(Step::choose, value(x.a), one, Symbol(0.0)));
      by(x.c, noted_step(Step::choose, value(x.a), Symbol(0.0), one));
      break;
    case Step::pull:
      by(x.a, value(x.c));
      by(x.c, value(x.a));
      by(x.d, -one);
      break;
    case Step::gap:
      by(x.a, Symbol(2.0) * value(x.a));
      by(x.b, Symbol(-2.0) * value(x.b));
      break;
    case Step::cross:
      by(x.a, value(x.b));
      by(x.b, value(x.a));
      by(x.c, -value(x.d));
      by(x.d, -value(x.c));
      break;
    case Step::constant:
    case Step::input:
    case Step::radius:
    case Step::less:
    case Step::less_equal:
    case Step::equal:
    case Step::both:
    case Step::either:
    case Step::opposite:
    case Step::long_dot_low:
    case Step::product_rest:
    case Step::sum_rest:
    case Step::pivot:
      break;
    default:  // steps that are made where the program is compiled
      throw NoProgram();
  }
}

}  // namespace

Results record_second(const Parts& parts, std::string_view kinds, geometry::OperationResult gives,
                      const Parts& result_parts, const Results& first, unsigned wanted) {
  Recording& recording = Recording::current();
  Notes& notes = Notes::current();
  notes.clear();
  // number k + 1 of the trace is note k
  const int count = recording.size();
  for (int k = 0; k < count; ++k) {
    note_partials(notes, k);
    notes.leaf(Symbol::of(k));
  }
  notes.begin_backward();
  for (const auto& result : first) {
    const Symbol weight = Symbol::of(
        recording.input(cotangent_operand + result.gradient, result.row, result.is_vector));
    for (const auto& [a, b] : result.terms) {
      const Symbol factor = Symbol::of(a);
      const Symbol vector = Symbol::of(b);
      if (a < count)
        notes.add(a + 1,
                  result.is_vector ? noted_step(Step::dot, weight, vector) : weight * vector);
      if (b < count) notes.add(b + 1, factor * weight);
    }
  }
  notes.backward();
  Results results;
  const auto take = [&](int gradient, int row, int rows, bool is_vector, int input) {
    results.push_back({gradient, row, rows, is_vector, {}});
    if (input >= count) return;  // nothing depends on it
    for (const auto& term : notes.derivative(input + 1))
      results.back().terms.emplace_back(term.factor.note, term.vector.note);
  };
  const auto take_operand = [&](int gradient, int operand, bool is_number, const Parts& of) {
    if ((wanted >> gradient & 1) == 0) return;
    if (is_number) return take(gradient, 0, 1, false, recording.input(operand, 0, false));
    for (int i = 0; i < of.count; ++i)
      take(gradient, of.row(i), of.rows(i), of.is_vector(i),
           recording.input(operand, of.row(i), of.is_vector(i)));
  };
  if ((wanted & 1) != 0) take(0, 0, 1, false, recording.radius());
  const int operands = int(kinds.size());
  for (int i = 0; i < operands; ++i) take_operand(i + 1, i, kinds[std::size_t(i)] == 'n', parts);
  take_operand(operands + 1, seed_operand, gives == geometry::OperationResult::number,
               result_parts);
  return results;
}

}  // namespace mct::geometry_detail
