// Every matrix product comes here. It is computed through integers if you ask for that or if
// integers pay, otherwise by sums in floating point.
#pragma once

#include <type_traits>
#include <vector>

#include "src/linalg/gemm.hpp"
#include "src/linalg/integer_product.hpp"

namespace mct::linalg_detail {

/// c = a b for every product of a batch; see gemm.
template <class T, int N, int A, int B>
void matrix_product(std::int64_t m, std::int64_t n, std::int64_t k, MatrixView<const T> a,
                    MatrixView<const T> b, MatrixView<T> c, std::vector<BatchOffsets> batch,
                    MatmulAccuracy accuracy = MatmulAccuracy::componentwise) {
  if constexpr (std::is_same_v<T, double> && N <= 3) {
    std::erase_if(batch, [&](const BatchOffsets& at) {
      return integer_product(m, n, k, {a.at(at.a), A}, {b.at(at.b), B}, {c.at(at.c), N},
                             {accuracy});
    });
  }
  gemm<T, N, A, B>(m, n, k, a, b, c, batch);
}

}  // namespace mct::linalg_detail
