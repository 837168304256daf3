// MCTensor: multi-component floating-point. Includes every public header that needs only the
// standard library, except the published algorithms (expansion/published_algorithms.hpp) and the
// bridges to other libraries (interop/). To include one layer, use mctensor/<layer>/all.hpp.
#pragma once

#include "mctensor/attention/all.hpp"
#include "mctensor/autograd/all.hpp"
#include "mctensor/base/all.hpp"
#include "mctensor/certified/all.hpp"
#include "mctensor/device/all.hpp"
#include "mctensor/distributed/all.hpp"
#include "mctensor/eft/all.hpp"
#include "mctensor/embed/all.hpp"
#include "mctensor/error.hpp"
#include "mctensor/expansion/all.hpp"
#include "mctensor/geometry/all.hpp"
#include "mctensor/graph/all.hpp"
#include "mctensor/linalg/all.hpp"
#include "mctensor/math/all.hpp"
#include "mctensor/nn/all.hpp"
#include "mctensor/optim/all.hpp"
#include "mctensor/pictures/all.hpp"
#include "mctensor/tensor/all.hpp"
#include "mctensor/version.h"
