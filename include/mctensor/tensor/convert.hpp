// Tensors of another component type or number of components.
#pragma once

#include "mctensor/expansion/convert.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct {

/// The same values as expansions of M components of U: exact where they fit, else with a relative
/// error of at most u^M of U; an infinity where U's range is too short. New memory.
template <class U, int M, class T, int N>
Tensor<U, M> convert(const Tensor<T, N>& x) {
  const Tensor<T, N> from = x.contiguous();
  auto result = Tensor<U, M>::uninitialized(x.shape());
  const std::int64_t count = x.numel();
  for (std::int64_t i = 0; i < count; ++i) {
    Expansion<T, N> value;
    for (int k = 0; k < N; ++k) value.limb[k] = from.data(k)[i];
    const Expansion<U, M> converted(value);
    for (int k = 0; k < M; ++k) result.data(k)[i] = converted.limb[k];
  }
  return result;
}

/// A plain tensor as one of N components, the others zero.
template <int N, class T>
Tensor<T, N> with_components(const Tensor<T, 1>& x) {
  Tensor<T, N> result(x.shape());
  result.fc().copy_(x);
  return result;
}

}  // namespace mct
