// The suite's entries for conversions between lengths and component types.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "validation/core/operation.hpp"

namespace mct::validation {

/// "f64x2" for Expansion<double, 2>; "f64" for a plain double.
template <class T, int N>
std::string type_name() {
  return fmt::format("f{}x{}", 8 * sizeof(T), N);
}

namespace detail {

/// The conversion Expansion<T, N> -> Expansion<R, M>, if it is not the identity.
template <class T, int N, class R, int M>
void enter_conversion(std::vector<Operation<T, N>>& list) {
  using Xs = std::array<Expansion<T, N>, 3>;
  if constexpr (!std::is_same_v<T, R> || M < N) {
    // every value of the source fits: same component or double, and enough limbs
    constexpr bool exact = std::is_same_v<T, float> && std::is_same_v<R, double> && M >= N;
    Operation<T, N> op;
    op.name = fmt::format("to_{}", type_name<R, M>());
    op.arity = 1;
    op.promise = {exact ? 0.0 : 1.0, std::is_same_v<T, R> || exact ? 0.0 : 1.0};
    op.bound_text = exact ? "exact"
                          : fmt::format("{:g} u^{} |x|{}, u of the result", op.promise.bound, M,
                                        op.promise.eta > 0 ? " + eta" : "");
    op.check = numeric_check<T, N>(
        1, [](const Xs& x) { return Expansion<R, M>(x[0]); },
        [](mpfr_ptr r, const std::array<Real, 3>& in) { mpfr_set(r, in[0].get(), MPFR_RNDN); },
        op.promise);
    op.result_components = M;
    op.result_precision = FloatTraits<R>::p;
    op.weight = 0.2;
    list.push_back(std::move(op));
  }
}

}  // namespace detail

template <class T, int N>
std::vector<Operation<T, N>> conversion_operations() {
  std::vector<Operation<T, N>> list;
  [&]<int... M>(std::integer_sequence<int, M...>) {
    (detail::enter_conversion<T, N, double, M + 1>(list), ...);
    (detail::enter_conversion<T, N, float, M + 1>(list), ...);
  }
  (std::make_integer_sequence<int, 4>{});
  return list;
}

}  // namespace mct::validation
