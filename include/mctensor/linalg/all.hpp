// Layer 5: products of vectors and matrices.
#pragma once

#include "mctensor/linalg/bfloat16_units.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/linalg/strided.hpp"
