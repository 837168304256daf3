// Converts between expansions and the floating-point numbers of Boost.Multiprecision.
//
// Source: to_boost adds the limbs; from_boost splits the number into limbs and uses
// renormalize.hpp.
#pragma once

#include <boost/multiprecision/number.hpp>
#include <cmath>

#include "mctensor/expansion/arithmetic.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// x as a Boost number. The function adds the limbs from the smallest to the largest. The result is
/// exact if the Boost type has enough bits (cpp_bin_float, mpfr_float); otherwise its error is at
/// most N roundings of the Boost type. NaN and infinities are kept. The sign of zero is kept if the
/// Boost type has one.
template <class Number, class T, int N>
requires(boost::multiprecision::is_number<Number>::value&& is_component_v<T>) inline Number
    to_boost(const Expansion<T, N>& x) {
  if (x.limb[0] == 0 || !std::isfinite(x.limb[0])) return Number(double(x.limb[0]));
  Number sum = Number(double(x.limb[N - 1]));
  for (int i = N - 2; i >= 0; --i) sum += Number(double(x.limb[i]));
  return sum;
}

/// A Boost number as an expansion X. Each limb is what remains after the limbs before it, converted
/// to the component type. The result is exact if the Boost type is binary and N limbs hold the
/// number. Otherwise its error is at most slightly more than u^N |x|. A number beyond the range of
/// the component type gives an infinity.
template <class X, class Number>
requires(is_expansion_v<X>&& boost::multiprecision::is_number<Number>::value) inline X
    from_boost(const Number& value) {
  using T = typename X::Scalar;
  X r;
  Number rest = value;
  for (int i = 0; i < X::components; ++i) {
    r.limb[i] = rest.template convert_to<T>();
    if (!std::isfinite(r.limb[i]) || r.limb[i] == 0) break;
    rest -= Number(double(r.limb[i]));
    if (rest == 0) break;
  }
  // conversions of decimal types do not always round to nearest
  return std::isfinite(r.limb[0]) ? renormalize(r) : r;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
