// Conversion between the whole numbers of the tilings and numbers of Boost.Multiprecision.
//
// Error: exact. Domain: every whole number. Source: the digits are copied.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "mctensor/geometry/tiling/integer.hpp"

namespace mct::geometry {

/// The same number in the other type. These functions need the library mctensor::mctensor.
boost::multiprecision::cpp_int to_cpp_int(const Integer& x);
Integer from_cpp_int(boost::multiprecision::cpp_int&& x);

}  // namespace mct::geometry
