// Coordinates of points brought into lanes and back: blocks of a matrix, turned in registers.
//
// Written with the vectors of the compiler, whose shuffles become those of any instruction set; no
// vector is wider than its registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "src/tensor/kernels/lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

template <int w>
struct RegisterOf {
  using type __attribute__((vector_size(w * sizeof(double)))) = double;
};
template <int w>
using Register = typename RegisterOf<w>::type;

/// Of two rows every second block of `size` entries, from block `odd` on.
template <int w, int size, int odd, std::size_t... k>
MCT_ALWAYS_INLINE inline Register<w> interleaved(const Register<w>& a, const Register<w>& b,
                                                 std::index_sequence<k...>) {
  return __builtin_shufflevector(
      a, b, (int(k) / size % 2 == 0 ? int(k) + odd * size : w + int(k) - size + odd * size)...);
}

/// Transposes w x w numbers in place: blocks of w / 2, w / 4 ... 1 change places.
template <int w, int size = w / 2>
MCT_ALWAYS_INLINE inline void transpose(Register<w> (&row)[w]) {
  if constexpr (size > 0) {
    constexpr auto all = std::make_index_sequence<std::size_t(w)>();
    for (int i = 0; i < w; ++i) {
      if (i / size % 2 != 0) continue;
      const Register<w> a = row[i];
      const Register<w> b = row[i + size];
      row[i] = interleaved<w, size, 0>(a, b, all);
      row[i + size] = interleaved<w, size, 1>(a, b, all);
    }
    transpose<w, size / 2>(row);
  }
}

/// to[c * to_step + r] = from[r * from_step + c] for r, c below w.
template <int w>
MCT_ALWAYS_INLINE inline void transpose_block(const double* from, std::int64_t from_step,
                                              double* to, std::int64_t to_step) {
  if constexpr (w == 1) {
    *to = *from;
  } else {
    Register<w> row[w];
    for (int i = 0; i < w; ++i) __builtin_memcpy(&row[i], from + i * from_step, sizeof(row[i]));
    transpose<w>(row);
    for (int i = 0; i < w; ++i) __builtin_memcpy(to + i * to_step, &row[i], sizeof(row[i]));
  }
}

inline constexpr int widest_block = int(lanes<widest_batch<double>>);

/// The same for 8 rows of as many columns as go into blocks of w, then for the rest.
template <bool to_lanes, int w = widest_block>
MCT_ALWAYS_INLINE inline void transpose_eight(int column, int columns, const double* from,
                                              std::int64_t from_step, double* to,
                                              std::int64_t to_step) {
  for (; column + w <= columns; column += w)
    for (int i = 0; i < 8; i += w) {
      if constexpr (to_lanes) {
        transpose_block<w>(from + i * from_step + column, from_step, to + column * to_step + i,
                           to_step);
      } else {
        transpose_block<w>(from + column * from_step + i, from_step, to + i * to_step + column,
                           to_step);
      }
    }
  if constexpr (w > 1)
    transpose_eight<to_lanes, w / 2>(column, columns, from, from_step, to, to_step);
}

/// Points, a multiple of 8, to rows of lanes (see PointTransposition), and back.
template <bool to_lanes>
void transpose_points(std::size_t points, int coordinates, const double* from,
                      std::int64_t from_step, double* to, std::int64_t to_step) {
  if (coordinates == 1 && (to_lanes ? from_step : to_step) == 1) {
    __builtin_memcpy(to, from, points * sizeof(double));
    return;
  }
  for (std::size_t i = 0; i < points; i += 8)
    transpose_eight<to_lanes>(0, coordinates, from + (to_lanes ? std::int64_t(i) * from_step : i),
                              from_step, to + (to_lanes ? i : std::int64_t(i) * to_step), to_step);
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
