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
      throw ShapeError(
          "device tensors of shapes " + to_string(shape) + " and " + to_string(other) +
          " cannot be combined; the shapes must be equal, or one tensor must have one element");
    shape = other;
  };
  (take(rest.shape()), ...);
  return shape;
}

/// Starts program number `op` of those of `Programs<I>`, for each number I, on the stream of `out`.
template <template <int> class Programs, class T, int N, int... I, class... X>
void start_one(int op, std::integer_sequence<int, I...>, const DeviceTensor<T, N>& out,
               const X&... x) {
  const Shape shape = common_shape(x...);
  if (out.shape() != shape)
    throw ShapeError("a device tensor of shape " + to_string(out.shape()) +
                     " cannot hold a result of shape " + to_string(shape));
  const Ordered ordered(out.stream(), x...);
  if (!((op == I && (start<Programs<I>>(out, x...), true)) || ...))
    throw DeviceError("this operation is not compiled for GPUs with these components");
}

/// The result of an operation on these operands, in new memory.
template <class Op, class T, int N, class... X>
DeviceTensor<T, N> applied(Op op, const DeviceTensor<T, N>& first, const X&... rest) {
  auto out = DeviceTensor<T, N>::uninitialized(common_shape(first, rest...), first.stream());
  apply_to(out, op, first, rest...);
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
void apply_to(const DeviceTensor<T, N>& out, Unary op, const DeviceTensor<T, N>& x) {
  elementwise::start_one<elementwise::Of<T, N>::template UnaryProgram>(
      int(op), elementwise::Numbers<unary_count<T, N>>(), out, x);
}
template <class T, int N>
void apply_to(const DeviceTensor<T, N>& out, Binary op, const DeviceTensor<T, N>& x,
              const DeviceTensor<T, N>& y) {
  elementwise::start_one<elementwise::Of<T, N>::template BinaryProgram>(
      int(op), elementwise::Numbers<binary_count<T, N>>(), out, x, y);
}
template <class T, int N>
void apply_to(const DeviceTensor<T, N>& out, Ternary op, const DeviceTensor<T, N>& x,
              const DeviceTensor<T, N>& y, const DeviceTensor<T, N>& z) {
  elementwise::start_one<elementwise::Of<T, N>::template TernaryProgram>(
      int(op), elementwise::Numbers<int(Ternary::count)>(), out, x, y, z);
}

template <class T, int N>
DeviceTensor<T, N> apply(Unary op, const DeviceTensor<T, N>& x) {
  return elementwise::applied(op, x);
}
template <class T, int N>
DeviceTensor<T, N> apply(Binary op, const DeviceTensor<T, N>& x, const DeviceTensor<T, N>& y) {
  return elementwise::applied(op, x, y);
}
template <class T, int N>
DeviceTensor<T, N> apply(Ternary op, const DeviceTensor<T, N>& x, const DeviceTensor<T, N>& y,
                         const DeviceTensor<T, N>& z) {
  return elementwise::applied(op, x, y, z);
}

}  // namespace mct::cuda

/// Of an operation with operands X of numbers of N components of T.
#define MCT_START_ELEMENTWISE_OF(T, N, Op, ...)       \
  template DeviceTensor<T, N> apply(Op, __VA_ARGS__); \
  template void apply_to(const DeviceTensor<T, N>&, Op, __VA_ARGS__);
#define MCT_START_ELEMENTWISE(T, N)                                                             \
  namespace mct::cuda {                                                                         \
  MCT_START_ELEMENTWISE_OF(T, N, Unary, const DeviceTensor<T, N>&)                              \
  MCT_START_ELEMENTWISE_OF(T, N, Binary, const DeviceTensor<T, N>&, const DeviceTensor<T, N>&)  \
  MCT_START_ELEMENTWISE_OF(T, N, Ternary, const DeviceTensor<T, N>&, const DeviceTensor<T, N>&, \
                           const DeviceTensor<T, N>&)                                           \
  }
