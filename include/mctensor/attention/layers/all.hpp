// Layers between points of hyperbolic space.
#pragma once

#include "mctensor/attention/layers/batch_norm.hpp"
#include "mctensor/attention/layers/coordinates.hpp"
#include "mctensor/attention/layers/linear.hpp"
#include "mctensor/attention/layers/lorentz_linear.hpp"
#include "mctensor/attention/layers/manifold_attention.hpp"
#include "mctensor/attention/layers/planes.hpp"
