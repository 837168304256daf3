// The whole autograd layer.
#pragma once

#include "mctensor/autograd/arithmetic.hpp"
#include "mctensor/autograd/convert.hpp"
#include "mctensor/autograd/functions.hpp"
#include "mctensor/autograd/gradcheck.hpp"
#include "mctensor/autograd/indexing.hpp"
#include "mctensor/autograd/linalg.hpp"
#include "mctensor/autograd/reduce.hpp"
#include "mctensor/autograd/softmax.hpp"
#include "mctensor/autograd/transcendental.hpp"
#include "mctensor/autograd/variable.hpp"
#include "mctensor/autograd/views.hpp"
