// The constants of <numbers> as expansions: mct::numbers::pi_v<f64x2>.
#pragma once

#include "mctensor/expansion/convert.hpp"
#include "mctensor/math/tables/constants.hpp"
#include "mctensor/math/value.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {

/// A constant of the tables as an expansion X. For double and float it has the first limbs of the
/// table. There each limb is the number nearest to what the limbs before it leave. Constants of
/// half and bfloat16 are rounded from two doubles.
template <class Table, class X>
consteval X number_constant() {
  using T = typename X::value_component;
  constexpr int N = X::components;
  if constexpr (is_short_float_v<T>) {
    return X(constant<Table, double, 2>());
  } else {
    return constant<Table, T, N>();
  }
}

}  // namespace detail

/// Error at most u^N times the constant: half an ulp of the last limb.
namespace numbers {

template <class X>
requires is_expansion_v<X>
inline constexpr X e_v = detail::number_constant<tables::E, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X log2e_v = detail::number_constant<tables::Log2E, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X log10e_v = detail::number_constant<tables::Log10E, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X pi_v = detail::number_constant<tables::Pi, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X inv_pi_v = detail::number_constant<tables::InversePi, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X inv_sqrtpi_v = detail::number_constant<tables::InverseSqrtPi, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X ln2_v = detail::number_constant<tables::Ln2, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X ln10_v = detail::number_constant<tables::Ln10, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X sqrt2_v = detail::number_constant<tables::Sqrt2, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X sqrt3_v = detail::number_constant<tables::Sqrt3, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X inv_sqrt3_v = detail::number_constant<tables::InverseSqrt3, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X egamma_v = detail::number_constant<tables::EulerGamma, X>();
template <class X>
requires is_expansion_v<X>
inline constexpr X phi_v = detail::number_constant<tables::GoldenRatio, X>();

}  // namespace numbers
}  // namespace mct::inline MCT_ISA_NAMESPACE
