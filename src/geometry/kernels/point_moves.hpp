// Points between memory and the rows of doubles on which steps take them one behind another.
#pragma once

#include "src/geometry/kernels/program_kernels.hpp"
#include "src/geometry/kernels/transpose.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// As many numbers as a register of doubles has, as another type.
template <class From, class To>
MCT_ALWAYS_INLINE inline void convert_lanes(const From* from, To* to) {
  Register<From, int(width)> x;
  __builtin_memcpy(&x, from, sizeof(x));
  const auto y = __builtin_convertvector(x, Register<To, int(width)>);
  __builtin_memcpy(to, &y, sizeof(y));
}
template <class From, class To>
MCT_ALWAYS_INLINE inline void convert_point(std::size_t coordinates, const From* from, To* to) {
  const std::size_t whole = coordinates / width * width;
  for (std::size_t i = 0; i < whole; i += width) convert_lanes(from + i, to + i);
  for (std::size_t i = whole; i < coordinates; ++i) to[i] = To(from[i]);
}
template <class T>
void points_to_rows(std::size_t points, std::size_t coordinates, const T* from, std::ptrdiff_t step,
                    double* rows, std::size_t row) {
  if (points == block && step == 1 && row == 1) return convert_point(block, from, rows);
  for (std::size_t p = 0; p < block; ++p, rows += row) {
    const T* const point = from + std::ptrdiff_t(p < points ? p : points - 1) * step;
    convert_point(coordinates, point, rows);
    for (std::size_t i = coordinates; i < row; ++i) rows[i] = 0;
  }
}
template <class T>
void points_from_rows(std::size_t points, std::size_t coordinates, const double* rows,
                      std::size_t row, T* to, bool streams) {
  if (row == 1) return convert_point(points, rows, to);
  constexpr std::size_t numbers = cache_line / sizeof(T);
  for (std::size_t p = 0; p < points; ++p, rows += row, to += coordinates) {
    if (!streams) convert_point(coordinates, rows, to);
    for (std::size_t i = 0; streams && i < coordinates; i += numbers) {
      alignas(cache_line) T line[numbers];
      convert_point(numbers, rows + i, line);
      stream_line(line, to + i);
    }
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
