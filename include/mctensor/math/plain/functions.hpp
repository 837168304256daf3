// The functions of plain numbers.
#pragma once

#include "mctensor/math/plain/erf.hpp"
#include "mctensor/math/plain/exp.hpp"
#include "mctensor/math/plain/hyperbolic.hpp"
#include "mctensor/math/plain/inverse_trig.hpp"
#include "mctensor/math/plain/log.hpp"
#include "mctensor/math/plain/power.hpp"
#include "mctensor/math/plain/rounding.hpp"
#include "mctensor/math/plain/trig.hpp"
