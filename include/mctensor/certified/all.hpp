// Numbers and tensors that carry their error, their functions, sums, products and solutions.
#pragma once

#include "mctensor/certified/certified.hpp"
#include "mctensor/certified/functions.hpp"
#include "mctensor/certified/products.hpp"
#include "mctensor/certified/solve.hpp"
#include "mctensor/certified/tensors.hpp"
