// Products of cuBLAS, where it is installed.
#pragma once

#include <cstdint>

#include "mctensor/device/stream.hpp"
#include "mctensor/eft/half.hpp"

namespace mct::bench {

/// Whether it was found when this was compiled.
bool has_cublas();

/// c = a b of n x n matrices; of bfloat16 with sums and results in float.
void cublas_product(const cuda::Stream& stream, std::int64_t n, const double* a, const double* b,
                    double* c);
void cublas_product(const cuda::Stream& stream, std::int64_t n, const float* a, const float* b,
                    float* c);
void cublas_product(const cuda::Stream& stream, std::int64_t n, const bfloat16* a,
                    const bfloat16* b, float* c);

}  // namespace mct::bench
