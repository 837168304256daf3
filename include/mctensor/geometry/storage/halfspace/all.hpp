// The half-space in multi-component representations.
#pragma once

#include "mctensor/geometry/storage/halfspace/batch.hpp"
#include "mctensor/geometry/storage/halfspace/bounds.hpp"
#include "mctensor/geometry/storage/halfspace/coordinate.hpp"

#include "mctensor/geometry/storage/halfspace/formulas.hpp"
#include "mctensor/geometry/storage/halfspace/height.hpp"
#include "mctensor/geometry/storage/halfspace/long_sum.hpp"
#include "mctensor/geometry/storage/halfspace/representations.hpp"
#include "mctensor/geometry/storage/halfspace/work.hpp"
