// Layers between points of hyperbolic space.
#pragma once

#include "mctensor/nn/hyperbolic/batch_norm.hpp"
#include "mctensor/nn/hyperbolic/coordinates.hpp"
#include "mctensor/nn/hyperbolic/linear.hpp"
#include "mctensor/nn/hyperbolic/planes.hpp"
