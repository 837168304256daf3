// Coordinates of points brought into lanes and back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/tensor/kernels/lanes.hpp"
#include "src/tensor/kernels/transpose.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// to[c * to_step + r] = from[r * from_step + c] for r, c below w, of floats as doubles or rounded.
template <int w, class From, class To>
MCT_ALWAYS_INLINE inline void transpose_block(const From* from, std::int64_t from_step, To* to,
                                              std::int64_t to_step) {
  if constexpr (w == 1) {
    *to = To(*from);
  } else {
    Register<double, w> row[w];
    for (int i = 0; i < w; ++i) {
      Register<From, w> numbers;
      __builtin_memcpy(&numbers, from + i * from_step, sizeof(numbers));
      row[i] = __builtin_convertvector(numbers, Register<double, w>);
    }
    transpose<w>(row);
    for (int i = 0; i < w; ++i) {
      const auto numbers = __builtin_convertvector(row[i], Register<To, w>);
      __builtin_memcpy(to + i * to_step, &numbers, sizeof(numbers));
    }
  }
}

inline constexpr int widest_block = int(lanes<widest_batch<double>>);

/// The same for 8 rows of as many columns as go into blocks of w, then for the rest.
template <bool to_lanes, int w = widest_block, class From, class To>
MCT_ALWAYS_INLINE inline void transpose_eight(int column, int columns, const From* from,
                                              std::int64_t from_step, To* to,
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
template <bool to_lanes, class From, class To>
void transpose_points(std::size_t points, int coordinates, const From* from, std::int64_t from_step,
                      To* to, std::int64_t to_step) {
  if (coordinates == 1 && (to_lanes ? from_step : to_step) == 1) {
    for (std::size_t i = 0; i < points; ++i) to[i] = To(from[i]);
    return;
  }
  for (std::size_t i = 0; i < points; i += 8)
    transpose_eight<to_lanes>(0, coordinates, from + (to_lanes ? std::int64_t(i) * from_step : i),
                              from_step, to + (to_lanes ? i : std::int64_t(i) * to_step), to_step);
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
