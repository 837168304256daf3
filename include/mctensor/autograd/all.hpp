// Layer 6: differentiation.
#pragma once

#include "mctensor/autograd/arithmetic.hpp"
#include "mctensor/autograd/convert.hpp"
#include "mctensor/autograd/functions.hpp"
#include "mctensor/autograd/gradcheck.hpp"
#include "mctensor/autograd/gradients.hpp"
#include "mctensor/autograd/indexing.hpp"
#include "mctensor/autograd/kernels.hpp"
#include "mctensor/autograd/linalg.hpp"
#include "mctensor/autograd/node.hpp"
#include "mctensor/autograd/record.hpp"
#include "mctensor/autograd/reduce.hpp"
#include "mctensor/autograd/rows.hpp"
#include "mctensor/autograd/softmax.hpp"
#include "mctensor/autograd/variable.hpp"
#include "mctensor/autograd/views.hpp"
