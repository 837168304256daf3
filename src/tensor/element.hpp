// One element of a tensor as an expansion, by its place in memory.
#pragma once

#include <cstdint>

#include "mctensor/tensor/tensor.hpp"

namespace mct::tensor_detail {

/// The element `offset` places after the first: you compute the strides.
template <class T, int N>
Expansion<T, N> load_element(const Tensor<T, N>& x, std::int64_t offset) {
  Expansion<T, N> value;
  for (int k = 0; k < N; ++k) value.limb[k] = x.data(k)[offset];
  return value;
}
template <class T, int N>
void store_element(const Tensor<T, N>& x, std::int64_t offset, const Expansion<T, N>& value) {
  for (int k = 0; k < N; ++k) x.data(k)[offset] = value.limb[k];
}

}  // namespace mct::tensor_detail
