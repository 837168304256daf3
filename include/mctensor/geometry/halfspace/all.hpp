// The half-space in multi-component representations.
#pragma once

#include "mctensor/geometry/halfspace/batch.hpp"
#include "mctensor/geometry/halfspace/bounds.hpp"
#include "mctensor/geometry/halfspace/coordinate.hpp"

#include "mctensor/geometry/halfspace/formulas.hpp"
#include "mctensor/geometry/halfspace/height.hpp"
#include "mctensor/geometry/halfspace/long_sum.hpp"
#include "mctensor/geometry/halfspace/representations.hpp"
#include "mctensor/geometry/halfspace/work.hpp"
