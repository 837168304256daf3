// What Boost.Math needs to run on expansions: root finders, quadrature, constants.
//
// Its algorithms call functions by argument-dependent lookup, and constants come from decimal
// strings; both are ours. Link mctensor::mctensor for the strings.
#pragma once

#include <boost/lexical_cast.hpp>
#include <boost/math/policies/policy.hpp>
#include <boost/math/tools/precision.hpp>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/io.hpp"
#include "mctensor/math/all.hpp"
