#include "mctensor/linalg/device_products.hpp"

#include <algorithm>
#include <string>

#include "cuda/device/run.hpp"
#include "cuda/linalg/gemm.hpp"
#include "cuda/linalg/guarded_sums.hpp"
#include "cuda/linalg/pack.hpp"
#include "mctensor/error.hpp"

namespace mct::cuda {
namespace {

constexpr int blocks_for(std::int64_t items, std::int64_t of_one) {
  return int((items + of_one - 1) / of_one);
}

template <class T, int N>
DeviceMatrix<T> view(const DeviceTensor<T, N>& x) {
  return {x.data(), x.plane_stride(), x.size(1), 1};
}

template <class T>
DeviceMatrix<const T> constant(const DeviceMatrix<T>& x) {
  return {x.data, x.plane, x.row_stride, x.column_stride};
}

/// A factor in the order of tiles, and the memory that it is in.
template <class T, int N>
struct Packed {
  DeviceMemory memory;
  PackedFactor<const T, N> factor;
};

template <class T, int N>
Packed<T, N> pack(const DeviceMatrix<T>& x, std::int64_t rows, std::int64_t depth,
                  const Stream& stream) {
  using Factor = PackedFactor<T, N>;
  using Program = PackFactor<T, N>;
  const std::int64_t tiles = Factor::tiles(rows);
  const std::int64_t slices = Factor::slices_of(depth);
  Packed<T, N> packed;
  packed.memory =
      DeviceMemory::allocate(std::size_t(tiles * slices * Factor::slice) * sizeof(T), stream);
  T* const to = static_cast<T*>(packed.memory.data());
  run(Program{constant(x), rows, depth, {to, int(slices)}},
      {int(tiles) * (Factor::tile / Program::side),
       blocks_for(slices, Program::side / Factor::depth)},
      stream);
  packed.factor = {to, int(slices)};
  return packed;
}

/// Rows of A that one launch takes: the grid has no more blocks in that direction.
template <class T, int N>
constexpr std::int64_t rows_of_a_launch = std::int64_t(Grid::max_y) * PackedFactor<T, N>::tile;

}  // namespace

template <class T, int N>
DeviceTensor<T, N> mm(const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b) {
  using Product = Gemm<T, N>;
  using Guarded = GuardedSums<T, N>;
  if (a.dim() != 2 || b.dim() != 2 || a.size(1) != b.size(0))
    throw ShapeError("mm: matrices of shapes " + to_string(a.shape()) + " and " +
                     to_string(b.shape()));
  const std::int64_t rows = a.size(0);
  const std::int64_t columns = b.size(1);
  const std::int64_t depth = a.size(1);
  constexpr std::int64_t most = std::int64_t(Grid::max_y) * PackFactor<T, N>::side;
  if (depth > most)
    throw ShapeError("mm: an inner dimension of " + std::to_string(depth) + ", more than " +
                     std::to_string(most));
  const Stream& stream = a.stream();
  auto c = DeviceTensor<T, N>::uninitialized({rows, columns}, stream);
  if (c.numel() == 0) return c;
  const Ordered ordered(stream, b);
  const auto right = pack<T, N>(view(b).transposed(), columns, depth, stream);
  const bool wide = columns % widest<T> == 0;
  for (std::int64_t first = 0; first < rows; first += rows_of_a_launch<T, N>) {
    const std::int64_t here = std::min(rows - first, rows_of_a_launch<T, N>);
    DeviceMatrix<T> from = view(a);
    from.data += first * depth;
    DeviceMatrix<T> to = view(c);
    to.data += first * columns;
    const auto left = pack<T, N>(from, here, depth, stream);
    run(Product{left.factor, right.factor, to, here, columns, wide},
        {blocks_for(columns, Product::tile), blocks_for(here, Product::tile)}, stream);
    run(Guarded{left.factor, right.factor, to, here, columns, depth},
        {blocks_for(here * columns, Guarded::threads)}, stream);
  }
  return c;
}

template DeviceTensor<double, 2> mm(const DeviceTensor<double, 2>&, const DeviceTensor<double, 2>&);
template DeviceTensor<double, 3> mm(const DeviceTensor<double, 3>&, const DeviceTensor<double, 3>&);
template DeviceTensor<float, 2> mm(const DeviceTensor<float, 2>&, const DeviceTensor<float, 2>&);
template DeviceTensor<float, 3> mm(const DeviceTensor<float, 3>&, const DeviceTensor<float, 3>&);

}  // namespace mct::cuda
