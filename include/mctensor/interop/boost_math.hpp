// Makes Boost.Math run on expansions: root finders, quadrature, constants.
//
// Boost's algorithms find this library's functions by argument-dependent lookup. Boost's constants
// are decimal strings, which from_string reads; link mctensor::mctensor for it.
//
// Boost's float_next scales a number by 2^(2 digits) if its last digit would be subnormal, for
// processors that flush subnormals to zero. For three or four floats the scaled number would be
// infinite. So for these types the scaling is switched off.
#pragma once

#include <boost/lexical_cast.hpp>
#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/next.hpp>
#include <boost/math/tools/precision.hpp>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/io.hpp"
#include "mctensor/math/all.hpp"

namespace boost::math::detail {

/// No number is below this value, so nothing is scaled.
template <>
inline mct::f32x3 get_min_shift_value<mct::f32x3>() {
  return 0;
}
template <>
inline mct::f32x4 get_min_shift_value<mct::f32x4>() {
  return 0;
}

}  // namespace boost::math::detail
