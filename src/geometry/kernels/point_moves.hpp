// Points between memory and the rows of doubles on which steps take them one behind another.
#pragma once

#include "src/geometry/kernels/program_kernels.hpp"
#include "src/geometry/kernels/transpose.hpp"
#include "src/tensor/kernels/narrowing_stores.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// p[0 ...] = y rounded to T, written to memory and not into the caches. p lies on a multiple of
/// what is written. Other threads see it after a fence.
template <class T>
MCT_ALWAYS_INLINE inline void stream_converted(const StepLanes& y, T* p) {
  constexpr bool is_float = std::is_same_v<T, float>;
#if MCT_HAVE_WIDENING_LOADS && defined(__AVX512F__)
  if constexpr (is_float) {
    _mm256_stream_ps(p, _mm512_cvtpd_ps(y));
  } else {
    _mm512_stream_pd(p, y);
  }
#elif MCT_HAVE_WIDENING_LOADS
  if constexpr (is_float) {
    _mm_stream_ps(p, _mm256_cvtpd_ps(y));
  } else {
    _mm256_stream_pd(p, y);
  }
#else
  static_cast<void>(is_float);
  store_converted(y, p);
#endif
}

template <class From, class To>
MCT_ALWAYS_INLINE inline void convert_point(std::size_t coordinates, const From* from, To* to) {
  const std::size_t whole = coordinates / width * width;
  for (std::size_t i = 0; i < whole; i += width)
    store_converted(load_converted<StepLanes>(from + i), to + i);
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
  for (std::size_t p = 0; p < points; ++p, rows += row, to += coordinates) {
    if (!streams) convert_point(coordinates, rows, to);
    for (std::size_t i = 0; streams && i < coordinates; i += width)
      stream_converted(load_lanes<StepLanes>(rows + i), to + i);
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
