// Conversions between the hyperbolic models, recorded.
#include "src/geometry/programs/lorentz_symbols.hpp"
#include "src/geometry/programs/record_formula.hpp"

namespace mct::geometry_detail {
namespace {

template <class From, class To, class X>
auto converted(const From& from, const To& to, const Point<X>& x) {
  return geometry::detail::from_space(to, geometry::detail::to_space(from, x));
}

template <template <class> class From, template <class> class To>
Results record_between(const Parts& given, const Parts& result, unsigned wanted) {
  Results results;
  if (wanted == 0) {
    From<Symbol> from;
    To<Symbol> to;
    from.radius = to.radius = Symbol::of(Recording::current().radius());
    give(result, converted(from, to, symbols_of(given, 0)), results);
    return results;
  }
  auto& notes = Notes::current();
  notes.clear();
  From<Number> from;
  To<Number> to;
  const unsigned first = is_of_second(wanted) ? wanted >> 8 : wanted;
  from.radius = to.radius =
      mct::geometry_detail::given(Recording::current().radius(), (first & 1) != 0);
  const auto x = point_of(given, 0, (first >> 1 & 1) != 0);
  const auto z = converted(from, to, x);
  notes.begin_backward();
  seed(result, z);
  notes.backward();
  take(given, 0, from.radius, results);
  take(given, 1, x, results);
  if (!is_of_second(wanted)) return results;
  return record_second(given, "p", geometry::OperationResult::point, result, results,
                       wanted & 0xff);
}

/// Calls use with the formulas of a hyperbolic model.
template <class Use>
Results with_formulas(Model model, const Use& use) {
  namespace formulas = geometry::detail;
  switch (model) {
    case Model::ball:
      return use.template operator()<formulas::BallFormulas>();
    case Model::half_space:
      return use.template operator()<formulas::HalfSpaceFormulas>();
    case Model::lorentz:
      return use.template operator()<formulas::LorentzFormulas>();
    case Model::klein:
      return use.template operator()<formulas::KleinFormulas>();
    case Model::hemisphere:
      return use.template operator()<formulas::HemisphereFormulas>();
    default:
      throw NoProgram();
  }
}

}  // namespace

Results record_conversion(Model from, Model to, int n, unsigned wanted) {
  const bool splits = from == Model::half_space || to == Model::half_space;
  const Parts given = parts_of(from, n, splits);
  Parts result = parts_of(to, 0, splits);
  result.n = given.rows(given.vector_part) + result.count - 1;
  return with_formulas(from, [&]<template <class> class From>() {
    return with_formulas(to, [&]<template <class> class To>() {
      return record_between<From, To>(given, result, wanted);
    });
  });
}

}  // namespace mct::geometry_detail
