// Tensors of another component type or number of components.
//
// Widening is exact. Domain: every value, NaN and infinities included. Source:
// expansion/convert.hpp, element by element.
#pragma once

#include "mctensor/expansion/convert.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct {

namespace tensor_detail {
/// to[i] = U(from[i]), for different T and U among double, float, half and bfloat16.
template <class T, class U>
void convert_numbers(std::int64_t count, const T* from, U* to);
}  // namespace tensor_detail

inline namespace MCT_ISA_NAMESPACE {

/// The same values as expansions of M components of U. They are exact where M components hold them.
/// Else the relative error is at most u^M, with the u of U. Values beyond the range of U become
/// infinite. The result has new memory.
template <class U, int M, class T, int N>
Tensor<U, M> convert(const Tensor<T, N>& x) {
  const Tensor<T, N> from = x.contiguous();
  auto result = Tensor<U, M>::uninitialized(x.shape());
  const std::int64_t count = x.numel();
  if constexpr (N == 1 && M == 1 && !std::is_same_v<T, U>) {
    tensor_detail::convert_numbers(count, from.data(), result.data());
    return result;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    Expansion<T, N> value;
    for (int k = 0; k < N; ++k) value.limb[k] = from.data(k)[i];
    const Expansion<U, M> converted(value);
    for (int k = 0; k < M; ++k) result.data(k)[i] = converted.limb[k];
  }
  return result;
}

/// A plain tensor as a tensor of N components; the other components are zero.
template <int N, class T>
Tensor<T, N> with_components(const Tensor<T, 1>& x) {
  Tensor<T, N> result(x.shape());
  result.fc().copy_(x);
  return result;
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
