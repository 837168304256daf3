// Riemannian optimizers.
#pragma once

#include "mctensor/geometry/optim/half_space_rows.hpp"
#include "mctensor/geometry/optim/learned_radius.hpp"
#include "mctensor/geometry/optim/manifold_parameter.hpp"
#include "mctensor/geometry/optim/manifold_rows.hpp"
#include "mctensor/geometry/optim/names.hpp"
#include "mctensor/geometry/optim/optimizer.hpp"
#include "mctensor/geometry/optim/options.hpp"
#include "mctensor/geometry/optim/radam.hpp"
#include "mctensor/geometry/optim/rescaling.hpp"
#include "mctensor/geometry/optim/row_blocks.hpp"
#include "mctensor/geometry/optim/row_states.hpp"
#include "mctensor/geometry/optim/row_vectors.hpp"
#include "mctensor/geometry/optim/rsgd.hpp"
#include "mctensor/geometry/optim/tensor_rows.hpp"
#include "mctensor/geometry/optim/tiling_points.hpp"
#include "mctensor/geometry/optim/tiling_rows.hpp"
