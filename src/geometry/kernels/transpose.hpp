// Coordinates of points brought into lanes and back.
#pragma once

#include <cstddef>
#include <cstdint>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "src/geometry/kernels/manifold_table.hpp"
#include "src/tensor/kernels/narrowing_stores.hpp"
#include "src/tensor/kernels/transpose.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using geometry_detail::cache_line;

/// Neighbouring numbers as doubles, and back. Of a whole register there is an instruction that
/// compilers do not find.
template <int w, class T>
MCT_ALWAYS_INLINE inline Register<double, w> load_register(const T* from) {
  Register<double, w> x;
  if constexpr (w == int(lanes<widest_batch<double>>)) {
    const auto numbers = load_converted<widest_batch<double>>(from);
    __builtin_memcpy(&x, &numbers, sizeof(x));
  } else {
    Register<T, w> numbers;
    __builtin_memcpy(&numbers, from, sizeof(numbers));
    x = __builtin_convertvector(numbers, Register<double, w>);
  }
  return x;
}
template <int w, class T>
MCT_ALWAYS_INLINE inline void store_register(const Register<double, w>& x, T* to) {
  if constexpr (w == int(lanes<widest_batch<double>>)) {
    widest_batch<double> numbers;
    __builtin_memcpy(&numbers, &x, sizeof(x));
    store_converted(numbers, to);
  } else {
    const auto numbers = __builtin_convertvector(x, Register<T, w>);
    __builtin_memcpy(to, &numbers, sizeof(numbers));
  }
}

/// to[c * to_step + r] = from[r * from_step + c] for r, c below w, of floats as doubles or rounded.
template <int w, class From, class To>
MCT_ALWAYS_INLINE inline void transpose_block(const From* from, std::int64_t from_step, To* to,
                                              std::int64_t to_step) {
  if constexpr (w == 1) {
    *to = To(*from);
  } else {
    Register<double, w> row[w];
    for (int i = 0; i < w; ++i) row[i] = load_register<w>(from + i * from_step);
    transpose<w>(row);
    for (int i = 0; i < w; ++i) store_register<w>(row[i], to + i * to_step);
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

/// Writes a line to memory and not into the caches, which first would read it.
MCT_ALWAYS_INLINE inline void stream_line(const void* from, void* to) {
#ifdef __AVX__
  // by halves, as floats are stored: the load of a whole line would wait for both stores
  for (int i = 0; i < int(cache_line / sizeof(__m256i)); ++i)
    _mm256_stream_si256(static_cast<__m256i*>(to) + i,
                        _mm256_load_si256(static_cast<const __m256i*>(from) + i));
#elif defined(__SSE2__)
  for (int i = 0; i < int(cache_line / sizeof(__m128i)); ++i)
    _mm_stream_si128(static_cast<__m128i*>(to) + i,
                     _mm_load_si128(static_cast<const __m128i*>(from) + i));
#else
  __builtin_memcpy(to, from, cache_line);
#endif
}

/// Points back from rows of lanes, where each begins a line of memory and fills whole ones. Other
/// threads see them after a fence.
template <class From, class To>
void stream_points(std::size_t points, int coordinates, const From* from, std::int64_t from_step,
                   To* to, std::int64_t to_step) {
  constexpr int numbers = int(cache_line / sizeof(To));
  alignas(cache_line) To lines[8][numbers];
  for (std::size_t i = 0; i < points; i += 8)
    for (int column = 0; column < coordinates; column += numbers) {
      transpose_eight<false>(0, numbers, from + column * from_step + i, from_step, lines[0],
                             numbers);
      for (int k = 0; k < 8; ++k)
        stream_line(lines[k], to + (std::int64_t(i) + k) * to_step + column);
    }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
