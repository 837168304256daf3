// The entry points of element-wise operations: check shapes, choose the kernel, loop over blocks.
#include "mctensor/tensor/elementwise.hpp"

#include <algorithm>

#include "mctensor/error.hpp"
#include "src/tensor/kernels/registry.hpp"
#include "src/tensor/strided.hpp"

namespace mct::tensor_detail {

namespace {

/// The rough number of simple operations per element of a kernel. The number of threads depends on
/// it.
constexpr double cost_of(Unary op, int n) {
  return int(op) < arithmetic_count<Unary> ? 2 * n : n == 1 ? 10 : 40 * n * n;
}
constexpr double cost_of(Binary op, int n) {
  if (int(op) >= arithmetic_count<Binary>) return n == 1 ? 30 : 200 * n * n;
  return op == Binary::div ? 10 * n * n : 4 * n * n;
}

template <class T, int N, class U, int M>
void check_broadcasts_to(const Tensor<T, N>& out, const Tensor<U, M>& x) {
  if (x.shape() != out.shape() && broadcast_shapes(out.shape(), x.shape()) != out.shape())
    throw ShapeError("an operand of shape " + to_string(x.shape()) +
                     " does not broadcast to the result's shape " + to_string(out.shape()));
}

/// The operand, or a copy if writing the result would change it on the way.
template <class T, int N, class U, int M>
Tensor<U, M> safe(const Tensor<T, N>& out, const Tensor<U, M>& x) {
  check_broadcasts_to(out, x);
  return overlaps(out, x) ? x.clone() : x;
}

/// Which operand of a binary kernel is plain.
template <int N, int A, int B>
constexpr int mix = int(A == B  ? Mix::none
                        : A < B ? Mix::left
                                : Mix::right);

}  // namespace

template <class T, int N>
void run_unary(Unary op, const Tensor<T, N>& out, const Tensor<T, N>& x) {
  const auto from = safe(out, x);
  run_blocks(out.shape(), unary_kernel<T, N>(op), cost_of(op, N), target(out),
             source(from, out.shape()));
}

template <class T, int N, int A, int B>
void run_binary(Binary op, const Tensor<T, N>& out, const Tensor<T, A>& x, const Tensor<T, B>& y) {
  if constexpr (N > 1 && A == 1 && B == 1) {
    // an in-place operation of an expansion tensor with a plain first operand does not exist
    run_binary(op, out, widen<T, N>(x), y);
  } else {
    const auto a = safe(out, x);
    const auto b = safe(out, y);
    const auto kernel = MCT_SELECT_KERNELS(elementwise<T, N>()).binary[int(op)][mix<N, A, B>];
    run_blocks(out.shape(), kernel, cost_of(op, N), target(out), source(a, out.shape()),
               source(b, out.shape()));
  }
}

template <class T, int N>
void run_ternary(Ternary op, const Tensor<T, N>& out, const Tensor<T, N>& x, const Tensor<T, N>& y,
                 const Tensor<T, N>& z) {
  const auto a = safe(out, x);
  const auto b = safe(out, y);
  const auto c = safe(out, z);
  const auto kernel = MCT_SELECT_KERNELS(elementwise<T, N>()).ternary[int(op)];
  run_blocks(out.shape(), kernel, 8 * N * N, target(out), source(a, out.shape()),
             source(b, out.shape()), source(c, out.shape()));
}

template <class T, int A, int B>
void run_compare(Compare op, const Tensor<bool>& out, const Tensor<T, A>& x,
                 const Tensor<T, B>& y) {
  constexpr int N = std::max(A, B);
  const auto kernel = MCT_SELECT_KERNELS(elementwise<T, N>()).compare[int(op)][mix<N, A, B>];
  run_blocks(out.shape(), kernel, 4 * N * N, target(out), source(x, out.shape()),
             source(y, out.shape()));
}

template <class T, int N>
void run_where(const Tensor<T, N>& out, const Tensor<bool>& mask, const Tensor<T, N>& x,
               const Tensor<T, N>& y) {
  const auto kernel = [](std::size_t n, T* const* to, const bool* const* m, const T* const* a,
                         const T* const* b) {
    for (int k = 0; k < N; ++k)
      for (std::size_t i = 0; i < n; ++i) to[k][i] = m[0][i] ? a[k][i] : b[k][i];
  };
  run_blocks(out.shape(), kernel, 3 * N, target(out), source(mask, out.shape()),
             source(x, out.shape()), source(y, out.shape()));
}

#define MCT_INSTANTIATE_BINARY(T, N, A, B) \
  template void run_binary(Binary, const Tensor<T, N>&, const Tensor<T, A>&, const Tensor<T, B>&);
#define MCT_INSTANTIATE_COMPARE(T, A, B) \
  template void run_compare(Compare, const Tensor<bool>&, const Tensor<T, A>&, const Tensor<T, B>&);
#define MCT_INSTANTIATE(T, N)                                                            \
  template void run_unary(Unary, const Tensor<T, N>&, const Tensor<T, N>&);              \
  template void run_ternary(Ternary, const Tensor<T, N>&, const Tensor<T, N>&,           \
                            const Tensor<T, N>&, const Tensor<T, N>&);                   \
  template void run_where(const Tensor<T, N>&, const Tensor<bool>&, const Tensor<T, N>&, \
                          const Tensor<T, N>&);                                          \
  MCT_INSTANTIATE_BINARY(T, N, N, N)                                                     \
  MCT_INSTANTIATE_COMPARE(T, N, N)
MCT_FOR_EACH_NUMBER_TENSOR(MCT_INSTANTIATE)
#define MCT_INSTANTIATE_MIXED(T, N)  \
  MCT_INSTANTIATE_BINARY(T, N, N, 1) \
  MCT_INSTANTIATE_BINARY(T, N, 1, N) \
  MCT_INSTANTIATE_BINARY(T, N, 1, 1) \
  MCT_INSTANTIATE_COMPARE(T, N, 1)   \
  MCT_INSTANTIATE_COMPARE(T, 1, N)
MCT_FOR_EACH_LONG_TENSOR(MCT_INSTANTIATE_MIXED)

}  // namespace mct::tensor_detail

namespace mct {

namespace {

template <class F>
Tensor<bool> logical(const Tensor<bool>& x, const Tensor<bool>& y, const F& f) {
  using namespace tensor_detail;
  auto out = Tensor<bool>::uninitialized(broadcast_shapes(x.shape(), y.shape()));
  const auto kernel = [&](std::size_t n, bool* const* to, const bool* const* a,
                          const bool* const* b) {
    for (std::size_t i = 0; i < n; ++i) to[0][i] = f(a[0][i], b[0][i]);
  };
  run_blocks(out.shape(), kernel, 1, target(out), source(x, out.shape()), source(y, out.shape()));
  return out;
}

}  // namespace

Tensor<bool> logical_and(const Tensor<bool>& x, const Tensor<bool>& y) {
  return logical(x, y, [](bool a, bool b) { return a && b; });
}
Tensor<bool> logical_or(const Tensor<bool>& x, const Tensor<bool>& y) {
  return logical(x, y, [](bool a, bool b) { return a || b; });
}
Tensor<bool> logical_not(const Tensor<bool>& x) {
  return logical(x, x, [](bool a, bool) { return !a; });
}

bool all(const Tensor<bool>& x) {
  for (const bool value : x.values())
    if (!value) return false;
  return true;
}
bool any(const Tensor<bool>& x) { return !all(logical_not(x)); }

}  // namespace mct
