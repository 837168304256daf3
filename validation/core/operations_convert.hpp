// The suite's entries for conversions between lengths and component types.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "validation/core/operation.hpp"

namespace mct::validation {

/// "f64" for double, "bf16" for bfloat16.
template <class T>
std::string component_name() {
  return fmt::format("{}{}", std::is_same_v<T, bfloat16> ? "bf" : "f", 8 * sizeof(T));
}

/// "f64x2" for Expansion<double, 2>.
template <class T, int N>
std::string type_name() {
  return fmt::format("{}x{}", component_name<T>(), N);
}

namespace detail {

/// The conversion Expansion<T, N> -> Expansion<R, M>, if it is not the identity.
template <class T, int N, class R, int M>
void enter_conversion(std::vector<Operation<T, N>>& list) {
  using Xs = std::array<Expansion<T, N>, 3>;
  if constexpr (!std::is_same_v<T, R> || M < N) {
    // every value of the source fits: a wider component of no smaller range, and enough limbs
    constexpr bool exact = FloatTraits<T>::p < FloatTraits<R>::p &&
                           FloatTraits<T>::emax <= FloatTraits<R>::emax && M >= N;
    Operation<T, N>& op = list.emplace_back();
    op.name = fmt::format("to_{}", type_name<R, M>());
    op.arity = 1;
    op.promise = {exact ? 0.0 : 1.0, std::is_same_v<T, R> || exact ? 0.0 : 1.0};
    op.bound_text = exact ? "exact"
                          : fmt::format("{:g} u^{} |x|{}, u of the result", op.promise.bound, M,
                                        op.promise.eta > 0 ? " + eta" : "");
    op.unary_oracle = oracle::copy;
    op.check = [](const Operation<T, N>& o, Workspace& w, const Xs& x) {
      return compare_with_oracle(o, w, x, Expansion<R, M>(x[0]));
    };
    op.result_components = M;
    op.result_precision = FloatTraits<R>::p;
    op.weight = 0.2;
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
  [&]<int... M>(std::integer_sequence<int, M...>) {
    (detail::enter_conversion<T, N, half, M + 1>(list), ...);
    (detail::enter_conversion<T, N, bfloat16, M + 1>(list), ...);
  }
  (std::make_integer_sequence<int, 3>{});
  return list;
}

}  // namespace mct::validation
