// Lists of the programs that the library starts on tensors, for the sources that compile them and
// for tests.
#pragma once

#include "cuda/tensor/extremes.hpp"
#include "cuda/tensor/guarded_row_sums.hpp"
#include "cuda/tensor/random.hpp"

/// The programs that src/device/reduce.hpp starts, for T with N components.
#define MCT_REDUCTION_PROGRAMS(DO, T, N) \
  DO(PieceSums<T, N>)                    \
  DO(JoinSums<T, N>)                     \
  DO(GuardedRowSums<T, N>)               \
  DO(PieceExtremes<T, N>)                \
  DO(JoinExtremes<T, N>)

/// The programs that src/device/create.cpp starts.
#define MCT_RANDOM_PROGRAMS(DO, T, N) \
  DO(UniformNumbers<T, N>)            \
  DO(NormalNumbers<T, N>)
