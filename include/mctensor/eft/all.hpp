// Layer 1: error-free transforms.
#pragma once

#include "mctensor/eft/constant_fma.hpp"
#include "mctensor/eft/float_traits.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/eft/hash.hpp"
#include "mctensor/eft/representation.hpp"
#include "mctensor/eft/short_float.hpp"
#include "mctensor/eft/short_format.hpp"
#include "mctensor/eft/split.hpp"
#include "mctensor/eft/two_prod.hpp"
#include "mctensor/eft/two_sum.hpp"
#include "mctensor/eft/ulp.hpp"
#include "mctensor/eft/value.hpp"
