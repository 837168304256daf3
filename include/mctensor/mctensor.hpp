// MCTensor: multi-component floating-point. Includes every public header that needs nothing beyond
// the standard library.
#pragma once

#include "mctensor/autograd/autograd.hpp"
#include "mctensor/base/environment.hpp"
#include "mctensor/eft/eft.hpp"
#include "mctensor/error.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/hash.hpp"
#include "mctensor/expansion/io.hpp"
#include "mctensor/expansion/literals.hpp"
#include "mctensor/expansion/published_algorithms.hpp"
#include "mctensor/geometry/geometry.hpp"
#include "mctensor/geometry/halfspace/batch.hpp"
#include "mctensor/geometry/halfspace/halfspace.hpp"
#include "mctensor/geometry/optim/optim.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "mctensor/linalg/linalg.hpp"
#include "mctensor/math/math.hpp"
#include "mctensor/nn/nn.hpp"
#include "mctensor/optim/optim.hpp"
#include "mctensor/tensor/tensors.hpp"
