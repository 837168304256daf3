// What Boost.Math needs to run on expansions: root finders, quadrature, constants.
//
// Its algorithms call functions by argument-dependent lookup, and constants come from decimal
// strings; both are ours. Link mctensor::mctensor for the strings.
//
// Its float_next scales a number by 2^(2 digits) where the last of its digits would be subnormal,
// for processors that flush those to zero. Floats have no exponents to spare for that: of three or
// four of them the scaled number is an infinity. Their neighbours are found without it, and are
// those of nextafter.
#pragma once

#include <boost/lexical_cast.hpp>
#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/next.hpp>
#include <boost/math/tools/precision.hpp>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/io.hpp"
#include "mctensor/math/all.hpp"

namespace boost::math::detail {

/// Nothing is below it: nothing is scaled.
template <>
inline mct::f32x3 get_min_shift_value<mct::f32x3>() {
  return 0;
}
template <>
inline mct::f32x4 get_min_shift_value<mct::f32x4>() {
  return 0;
}

}  // namespace boost::math::detail
