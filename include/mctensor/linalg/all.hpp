// Layer 5: products of vectors and matrices.
#pragma once

#include "mctensor/linalg/products.hpp"
