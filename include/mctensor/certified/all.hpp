// Numbers that carry their error, their functions, and sums, products and solutions of tensors.
#pragma once

#include "mctensor/certified/certified.hpp"
#include "mctensor/certified/functions.hpp"
#include "mctensor/certified/products.hpp"
#include "mctensor/certified/solve.hpp"
