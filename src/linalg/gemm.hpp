// The blocked matrix product on strided memory: packing, cache blocks, threads.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/tensor/tensor.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::linalg_detail {

/// Element offsets of one product of a batch.
struct BatchOffsets {
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t c = 0;
};

/// c = a b for every product of a batch: a is m x k of A components, b k x n of B, c m x n of N.
/// The result of an element depends on its row and column alone, not on blocks or threads.
template <class T, int N, int A, int B>
void gemm(std::int64_t m, std::int64_t n, std::int64_t k, MatrixView<const T> a,
          MatrixView<const T> b, MatrixView<T> c, const std::vector<BatchOffsets>& batch);

}  // namespace mct::linalg_detail
