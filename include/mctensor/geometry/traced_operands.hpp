// Operands of an operation as traced numbers, which record how they were computed.
//
// Error: none, except that the `nearly_zero` of traced.hpp takes the place of a zero vector.
// Domain: every operand. Source: traced.hpp.
#pragma once

#include <array>
#include <tuple>
#include <utility>

#include "mctensor/geometry/operate.hpp"
#include "mctensor/geometry/traced.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// An operand as an input of the trace if its derivative is wanted, else as a constant.
template <class W>
Traced<W> traced_input(const W& x, bool wanted, const limb_t<W>& = limb_t<W>(1)) {
  return wanted ? Traced<W>::input(x) : Traced<W>::constant(x);
}
template <class W, int n>
Point<Traced<W>, n> traced_input(const Point<W, n>& x, bool wanted,
                                 const limb_t<W>& unit = limb_t<W>(1)) {
  return off_zero(
      generate<Point<Traced<W>, n>>(x.size(), [&](int i) { return traced_input(x[i], wanted); }),
      unit);
}
/// The unit of coordinates for vectors at x. It is the height of x in the half-space, and the
/// radius in other models.
template <class Formulas, class W, int n, class... More>
limb_t<W> vector_unit(const Formulas& f, const Point<W, n>& x, const More&...) {
  if constexpr (requires { f.height(x); }) {
    if (x.size() > 0 && lead(f.height(x)) > 0) return lead(f.height(x));
    return limb_t<W>(1);
  } else {
    return lead(f.radius);
  }
}
template <class Formulas, class W, class... More>
requires(!is_point_v<W>) limb_t<W> vector_unit(const Formulas& f, const W&, const More&... more) {
  return vector_unit(f, more...);
}

template <class M>
auto traced_radii(const M& m, bool wanted) {
  using W = work_t<typename M::Value>;
  std::array<Traced<W>, M::radii> r;
  const auto k = m.all_radii();
  for (std::size_t i = 0; i < k.size(); ++i) r[i] = traced_input(W(to_work(k[i])), wanted);
  return r;
}

/// Whether an operation has a corner, or a minimum, where its value is 0.
template <class Op>
inline constexpr bool has_corner_at_zero =
    std::is_same_v<Op, operation::dist> || std::is_same_v<Op, operation::dist2> ||
    std::is_same_v<Op, operation::dist0> || std::is_same_v<Op, operation::norm>;

/// Records an operation of a manifold m with these formulas at one point, and passes derivatives
/// back. is_wanted(0) is true if derivatives by the radii are wanted, and is_wanted(1 + i) is true
/// if derivatives by operand i are wanted. seed(result) adds the derivatives by the result to the
/// trace. When take(radii, inputs...) is called, the trace holds all wanted derivatives. Results
/// are rounded to V.
template <class Op, class V, class M, class Formulas, class IsWanted, class Seed, class Take,
          class... X>
void pass_back(const M& m, const Formulas& formulas, const IsWanted& is_wanted, const Seed& seed,
               const Take& take, const X&... x) {
  auto& trace = Trace<work_t<typename M::Value>>::current();
  trace.clear();
  const auto radii = traced_radii(m, is_wanted(0));
  const auto unit = vector_unit(formulas, x...);
  const auto inputs = [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::tuple{traced_input(x, is_wanted(i + 1), unit)...};
  }
  (std::index_sequence_for<X...>());
  std::apply(
      [&](const auto&... input) {
        const auto result = Op::template on<V>(m.formulas_at(radii), input...);
        trace.begin_backward();
        seed(result);
        trace.backward();
        take(radii, input...);
      },
      inputs);
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
