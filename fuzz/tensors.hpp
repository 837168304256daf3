// Tensors that are read, and some to begin with.
#pragma once

#include "fuzz/target.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::fuzz {

/// Copies every element: those that are not there, or were not written, are found.
template <class T, int N>
void touch(const Tensor<T, N>& x) {
  require(std::int64_t(x.values().size()) == x.numel(), "a tensor has the elements of its shape");
  require(x.clone().shape() == x.shape(), "a copy has the same shape");
}

inline Tensor<float, 2> two_planes() {
  const Tensor<float, 2> x({3});
  x.plane(0).copy_(Tensor<float>::from_values({1.0F, -3.0F, 0.5F}));
  x.plane(1).copy_(Tensor<float>::from_values({1e-9F, 0.0F, -1e-10F}));
  return x;
}

}  // namespace mct::fuzz
