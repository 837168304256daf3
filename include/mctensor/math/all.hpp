// Layer 3: elementary functions.
#pragma once

#include "mctensor/math/activation.hpp"
#include "mctensor/math/erf.hpp"
#include "mctensor/math/exp.hpp"
#include "mctensor/math/gamma.hpp"
#include "mctensor/math/hyperbolic.hpp"
#include "mctensor/math/hyperbolic_ratio.hpp"
#include "mctensor/math/inverse_hyperbolic.hpp"
#include "mctensor/math/inverse_trig.hpp"
#include "mctensor/math/log.hpp"
#include "mctensor/math/numbers.hpp"
#include "mctensor/math/polynomial.hpp"
#include "mctensor/math/power.hpp"
#include "mctensor/math/trig.hpp"
#include "mctensor/math/trig_reduction.hpp"
#include "mctensor/math/value.hpp"
#include "mctensor/math/wide.hpp"
