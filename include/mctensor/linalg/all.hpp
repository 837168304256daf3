// Layer 5: products of vectors and matrices, decompositions, linear systems.
#pragma once

#include "mctensor/linalg/bfloat16_units.hpp"
#include "mctensor/linalg/cholesky.hpp"
#include "mctensor/linalg/det.hpp"
#include "mctensor/linalg/eigh.hpp"
#include "mctensor/linalg/lstsq.hpp"
#include "mctensor/linalg/lu.hpp"
#include "mctensor/linalg/matmul_accuracy.hpp"
#include "mctensor/linalg/matrix_power.hpp"
#include "mctensor/linalg/norms.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/linalg/qr.hpp"
#include "mctensor/linalg/singular_error.hpp"
#include "mctensor/linalg/solve.hpp"
#include "mctensor/linalg/solve_triangular.hpp"
#include "mctensor/linalg/strided.hpp"
#include "mctensor/linalg/svd.hpp"
