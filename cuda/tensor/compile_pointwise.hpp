// Compiles all operations on elements of one type: a .cu file for each type.
#pragma once

#include <utility>

#include "cuda/base/run_block.hpp"
#include "cuda/tensor/pointwise.hpp"

namespace mct::cuda {

template <class T, int N, class U, class B, class Tern>
struct PointwisePrograms;
template <class T, int N, int... U, int... B, int... Tern>
struct PointwisePrograms<T, N, std::integer_sequence<int, U...>, std::integer_sequence<int, B...>,
                         std::integer_sequence<int, Tern...>> {
  using type = CompiledPrograms<UnaryMap<Unary(U), T, N>..., BinaryMap<Binary(B), T, N>...,
                                TernaryMap<Ternary(Tern), T, N>...>;
};
template <int count>
using AllOf = std::make_integer_sequence<int, count>;

}  // namespace mct::cuda

/// Compiles the operations on T with N components.
#define MCT_COMPILE_POINTWISE(T, N)                                                \
  namespace mct::cuda {                                                            \
  extern const auto* const pointwise_programs_##T##N =                             \
      PointwisePrograms<T, N, AllOf<unary_count<T, N>>, AllOf<binary_count<T, N>>, \
                        AllOf<int(Ternary::count)>>::type::launches;               \
  }
