// Applies your own element-wise function to any number of tensors, in one pass.
//
// Error: the error of f alone. Source: the caller's f.
#pragma once

#include <tuple>

#include "mctensor/tensor/tensor.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// Applies f to the elements of tensors whose shapes broadcast together. Example: map([](auto a,
/// auto b, auto c) { return a * b + exp(c); }, x, y, z) needs no tensors for a * b and exp(c). An
/// operand is copied first if it is broadcast or not contiguous. Elements are Expansion<T, N> (N =
/// 1 for plain tensors), and f returns an Expansion. f is compiled with the caller's code, for its
/// instruction set. It runs on one thread, element by element. Throws ShapeError if shapes do not
/// broadcast.
template <class F, class First, class... Rest>
auto map(const F& f, const First& first, const Rest&... rest) {
  static_assert(is_tensor_v<First> && (is_tensor_v<Rest> && ...), "map: tensors are expected");
  const auto element = []<class T, int N>(const Tensor<T, N>& x, std::int64_t i) {
    Expansion<T, N> value;
    for (int k = 0; k < N; ++k) value.limb[k] = x.data(k)[i];
    return value;
  };
  Shape shape = first.shape();
  ((shape = broadcast_shapes(shape, rest.shape())), ...);
  const auto operands =
      std::make_tuple(first.expand(shape).contiguous(), rest.expand(shape).contiguous()...);
  const auto at = [&](std::int64_t i) {
    return std::apply([&](const auto&... x) { return f(element(x, i)...); }, operands);
  };
  using Result = decltype(at(0));
  static_assert(is_expansion_v<Result>, "map: f must return an Expansion");
  using Out = Tensor<typename Result::Scalar, Result::components>;
  auto out = Out::uninitialized(shape);
  const std::int64_t count = out.numel();
  for (std::int64_t i = 0; i < count; ++i) {
    const Result value = at(i);
    for (int k = 0; k < Result::components; ++k) out.data(k)[i] = value.limb[k];
  }
  return out;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
