// The functions of <cmath> for every component type.
#pragma once

#include <cmath>

#include "mctensor/eft/half.hpp"

namespace mct::validation {

// unqualified, these find the functions of half and bfloat16 as well
using std::ceil;
using std::fabs;
using std::floor;
using std::fmod;
using std::frexp;
using std::ilogb;
using std::isfinite;
using std::isinf;
using std::isnan;
using std::ldexp;
using std::nextafter;
using std::round;
using std::signbit;
using std::sqrt;
using std::trunc;

}  // namespace mct::validation
