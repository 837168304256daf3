// The kernels of training, compiled once per instruction set.
// No code here: it may be included under any instruction set.
#pragma once

#include <cstdint>

#include "src/embed/kernels/train_operands.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::embed_detail {

/// The kernels of a storage in so many components and dimensions (of a factor) that compute in T;
/// none where there are no such points.
MCT_DECLARE_KERNELS(template <PointStorage M, class T> TrainKernels<T> train_kernels(
                        int components, int dimensions);)

/// Specializes it: MCT_DEFINE_TRAINING(ball, double, BallPlace<1, 2>,
/// BallPlace<1, geometry::dynamic>, ...); of several places that would do the first one is taken.
#define MCT_DEFINE_TRAINING(storage, T, ...)                                                   \
  template <>                                                                                  \
  TrainKernels<T> train_kernels<PointStorage::storage, T>(int components, int dimensions) {    \
    return kernels::train_kernels_among<T __VA_OPT__(, ) __VA_ARGS__>(components, dimensions); \
  }

}  // namespace mct::embed_detail
