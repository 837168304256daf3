// Packing: blocks of a matrix as panels in the order in which the register tiles read them, in the
// format in which products are accumulated.
#pragma once

#include "src/linalg/kernels/pack_plain.hpp"
#include "src/linalg/matrix_view.hpp"
#include "src/tensor/kernels/load_work.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// Elements first, first + 1, ... of a run, `count` of them with the given stride, one vector at a
/// time: put(position, expansion of vector lanes, how many of the lanes count).
template <class S, int K, int A, class T, class Put>
MCT_ALWAYS_INLINE inline void for_each_vector(const T* p, std::int64_t plane, std::int64_t stride,
                                              std::int64_t count, const Put& put) {
  using V = widest_batch<S>;
  constexpr auto width = std::int64_t(lanes<V>);
  T buffer[A][std::size_t(width)];
  const T* planes[A];
  for (std::int64_t i = 0; i < count; i += width) {
    const std::int64_t n = count - i < width ? count - i : width;
    for (int k = 0; k < A; ++k) {
      planes[k] = p + k * plane + i * stride;
      if (stride == 1 && n == width) continue;
      for (std::int64_t lane = 0; lane < width; ++lane)
        buffer[k][lane] = lane < n ? planes[k][lane * stride] : T(0);
      planes[k] = buffer[k];
    }
    put(i, load_work<V, K, A>(planes, 0), n);
  }
}

/// `columns` columns of `depth` rows as panels of `width` columns, [panel][row][limb][column], with
/// zeros after the last column. `width` is a multiple of the lanes of S, or less than them.
template <class T, class S, int K, int A>
void pack_limbs(MatrixView<const T> x, std::int64_t depth, std::int64_t columns, std::int64_t width,
                S* out) {
  using V = widest_batch<S>;
  const bool along_columns =
      x.column_stride == 1 && width % std::int64_t(lanes<V>) == 0 && x.row_stride != 1;
  for (std::int64_t first = 0; first < columns; first += width, out += depth * K * width) {
    const std::int64_t count = columns - first < width ? columns - first : width;
    const T* corner = x.data + first * x.column_stride;
    if (along_columns) {
      for (std::int64_t i = 0; i < depth; ++i) {
        S* row = out + i * K * width;
        std::int64_t end = 0;
        for_each_vector<S, K, A>(corner + i * x.row_stride, x.plane, 1, count,
                                 [&](std::int64_t j, const Expansion<V, K>& value, std::int64_t) {
                                   for (int k = 0; k < K; ++k)
                                     store_lanes<V>(value.limb[k], row + k * width + j);
                                   end = j + std::int64_t(lanes<V>);
                                 });
        for (int k = 0; k < K; ++k)
          for (std::int64_t j = end; j < width; ++j) row[k * width + j] = S(0);
      }
    } else {
      std::int64_t done = 0;
      if constexpr (K < 3) {  // longer sums would gain too little time
        if (x.row_stride == 1 && count == width)
          done = transpose_panel<V, K>(
              depth, width, out, [&](std::int64_t column, std::int64_t row, V(&limbs)[K]) {
                const T* planes[A];
                for (int k = 0; k < A; ++k)
                  planes[k] = corner + k * x.plane + column * x.column_stride + row;
                const auto value = load_work<V, K, A>(planes, 0);
                for (int k = 0; k < K; ++k) limbs[k] = value.limb[k];
              });
      }
      for (std::int64_t j = 0; j < width; ++j) {
        if (j >= count) {
          for (std::int64_t i = 0; i < depth * K; ++i) out[i * width + j] = S(0);
          continue;
        }
        S* const column = out + done * K * width + j;
        for_each_vector<S, K, A>(corner + j * x.column_stride + done * x.row_stride, x.plane,
                                 x.row_stride, depth - done,
                                 [&](std::int64_t i, const Expansion<V, K>& value, std::int64_t n) {
                                   S buffer[lanes<V>];
                                   for (int k = 0; k < K; ++k) {
                                     store_lanes<V>(value.limb[k], buffer);
                                     for (std::int64_t lane = 0; lane < n; ++lane)
                                       column[((i + lane) * K + k) * width] = buffer[lane];
                                   }
                                 });
      }
    }
  }
}

template <class T, class P, int K, int A>
void pack_kernel(MatrixView<const T> x, std::int64_t depth, std::int64_t columns,
                 std::int64_t width, P* out) {
  if constexpr (K == 1 && A == 1) {
    pack_plain(x, depth, columns, width, out);
  } else {
    pack_limbs<T, P, K, A>(x, depth, columns, width, out);
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
