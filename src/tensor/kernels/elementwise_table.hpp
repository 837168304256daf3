// The element-wise kernels of one component type and count, compiled once per instruction set.
//
// Every kernel works on n elements in contiguous memory: out[k], a[k] point to limb k of the first
// one. This header has no code, so that it may be included under any instruction set.
#pragma once

#include <cstddef>

#include "mctensor/tensor/operation.hpp"

namespace mct::tensor_detail {

template <class T>
using UnaryKernel = void (*)(std::size_t n, T* const* out, const T* const* a);
template <class T>
using BinaryKernel = void (*)(std::size_t n, T* const* out, const T* const* a, const T* const* b);
template <class T>
using TernaryKernel = void (*)(std::size_t n, T* const* out, const T* const* a, const T* const* b,
                               const T* const* c);
template <class T>
using CompareKernel = void (*)(std::size_t n, bool* const* out, const T* const* a,
                               const T* const* b);

/// out[0..K) = the sum of n expansions, normalized, in the K doubles of their WorkFormat.
template <class T>
using SumKernel = void (*)(std::size_t n, const T* const* a, double* out);

/// Which operands of a binary kernel are plain (have one component).
enum class Mix { none, left, right, count };

template <class T>
struct ElementwiseTable {
  UnaryKernel<T> unary[int(Unary::count)];
  BinaryKernel<T> binary[int(Binary::count)][int(Mix::count)];
  TernaryKernel<T> ternary[int(Ternary::count)];
  CompareKernel<T> compare[int(Compare::count)][int(Mix::count)];
};

}  // namespace mct::tensor_detail
