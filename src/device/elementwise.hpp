// Starts element-wise operations. A file for each type includes it, so that a program links only
// the types that it uses.
#pragma once

#include <utility>

#include "cuda/device/run.hpp"
#include "cuda/tensor/pointwise.hpp"
#include "mctensor/device/elementwise.hpp"
#include "src/device/launches.hpp"

namespace mct::cuda {
namespace elementwise {

template <class T, int N, class... X>
auto operands_of(std::int64_t count, const DeviceTensor<T, N>& x, const X&... others) {
  const MapOperand<T, N> first{const_planes(x), x.numel() == 1 && count != 1};
  if constexpr (sizeof...(X) == 0) {
    return detail::MapOperands<T, N>{first, {}};
  } else {
    const auto rest = operands_of(count, others...);
    return detail::MapOperands<T, N, X::components...>{first, rest};
  }
}

template <class Program, class T, int N, class... X>
void start(const DeviceTensor<T, N>& out, const X&... x) {
  const std::int64_t count = out.numel();
  const bool wide = is_wide(out) && ((is_wide(x) || x.numel() == 1) && ...);
  run(Program{{}, planes(out), operands_of(count, x...), count, wide},
      blocks_for(count, Program::of_block), out.stream());
}

/// The shape of the result: the shape of all operands, except operands of one element.
template <class X, class... Rest>
Shape common_shape(const X& x, const Rest&... rest) {
  Shape shape = x.shape();
  [[maybe_unused]] const auto take = [&](const Shape& other) {
    if (numel(other) == 1 || other == shape) return;
    if (numel(shape) != 1)
      throw ShapeError("device tensors of shapes " + to_string(shape) + " and " + to_string(other) +
                       ": one shape is expected, or one element");
    shape = other;
  };
  (take(rest.shape()), ...);
  return shape;
}

/// Starts program number `op` of those of `Programs<0>`, `Programs<1>`, ...
template <template <int> class Programs, class T, int N, int... I, class... X>
DeviceTensor<T, N> start_one(int op, std::integer_sequence<int, I...>,
                             const DeviceTensor<T, N>& first, const X&... rest) {
  const Stream& stream = first.stream();
  if (op < 0 || op >= int(sizeof...(I)))
    throw DeviceError("this operation is not compiled for GPUs with these components");
  auto out = DeviceTensor<T, N>::uninitialized(common_shape(first, rest...), stream);
  const Ordered ordered(stream, rest...);
  static_cast<void>(((op == I && (start<Programs<I>>(out, first, rest...), true)) || ...));
  return out;
}

template <class T, int N>
struct Of {
  template <int I>
  using UnaryProgram = UnaryMap<Unary(I), T, N>;
  template <int I>
  using BinaryProgram = BinaryMap<Binary(I), T, N>;
  template <int I>
  using TernaryProgram = TernaryMap<Ternary(I), T, N>;
};

template <int count>
using Numbers = std::make_integer_sequence<int, count>;

}  // namespace elementwise

template <class T, int N>
DeviceTensor<T, N> apply(Unary op, const DeviceTensor<T, N>& x) {
  return elementwise::start_one<elementwise::Of<T, N>::template UnaryProgram>(
      int(op), elementwise::Numbers<unary_count<T, N>>(), x);
}
template <class T, int N>
DeviceTensor<T, N> apply(Binary op, const DeviceTensor<T, N>& x, const DeviceTensor<T, N>& y) {
  return elementwise::start_one<elementwise::Of<T, N>::template BinaryProgram>(
      int(op), elementwise::Numbers<binary_count<T, N>>(), x, y);
}
template <class T, int N>
DeviceTensor<T, N> apply(Ternary op, const DeviceTensor<T, N>& x, const DeviceTensor<T, N>& y,
                         const DeviceTensor<T, N>& z) {
  return elementwise::start_one<elementwise::Of<T, N>::template TernaryProgram>(
      int(op), elementwise::Numbers<int(Ternary::count)>(), x, y, z);
}

}  // namespace mct::cuda

#define MCT_START_ELEMENTWISE(T, N)                                                                \
  namespace mct::cuda {                                                                            \
  template DeviceTensor<T, N> apply(Unary, const DeviceTensor<T, N>&);                             \
  template DeviceTensor<T, N> apply(Binary, const DeviceTensor<T, N>&, const DeviceTensor<T, N>&); \
  template DeviceTensor<T, N> apply(Ternary, const DeviceTensor<T, N>&, const DeviceTensor<T, N>&, \
                                    const DeviceTensor<T, N>&);                                    \
  }
