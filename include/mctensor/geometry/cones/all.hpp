// Cones: everything.
#pragma once

#include "mctensor/geometry/cones/autograd.hpp"
#include "mctensor/geometry/cones/cones.hpp"
#include "mctensor/geometry/cones/formulas.hpp"
#include "mctensor/geometry/cones/light.hpp"
#include "mctensor/geometry/cones/moved_light.hpp"
#include "mctensor/geometry/cones/names.hpp"
#include "mctensor/geometry/cones/operations.hpp"
#include "mctensor/geometry/cones/pair_gradient.hpp"
#include "mctensor/geometry/cones/second.hpp"
