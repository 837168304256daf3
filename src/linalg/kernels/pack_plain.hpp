// Packing of plain numbers, where it takes a noticeable part of a product: rows that lie beside
// each other are copied, columns that do are transposed in registers.
#pragma once

#include <cstring>

#include "src/linalg/kernels/product_table.hpp"
#include "src/tensor/kernels/rounding_lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using linalg_detail::Bfloat16Pair;
using linalg_detail::MatrixView;

/// What is packed at one depth of one column: a number, or a pair of numbers of neighbouring rows.
template <class P>
struct Packed {
  using Lanes = widest_batch<P>;
  static constexpr std::int64_t rows = 1;

  template <class T>
  MCT_ALWAYS_INLINE static P one(const T* p, std::int64_t /*row_stride*/, std::int64_t /*rows*/) {
    return P(*p);
  }
  /// Of `lanes` neighbouring columns.
  template <class T>
  MCT_ALWAYS_INLINE static Lanes across(const T* p, std::int64_t /*row_stride*/, bool /*last*/) {
    return load_converted<Lanes>(p);
  }
  /// Of `lanes` neighbouring depths, their rows beside each other.
  template <class T>
  MCT_ALWAYS_INLINE static Lanes along(const T* p) {
    return load_converted<Lanes>(p);
  }
};
template <>
struct Packed<Bfloat16Pair> {
  using Lanes = widest_batch<float>;  // of words that are no floats
  static constexpr std::int64_t rows = 2;

  MCT_ALWAYS_INLINE static Bfloat16Pair one(const bfloat16* p, std::int64_t row_stride,
                                            std::int64_t row_count) {
    return {row_count > 1 ? p[row_stride].bits() : std::uint16_t(0), p->bits()};
  }
  MCT_ALWAYS_INLINE static Lanes across(const bfloat16* p, std::int64_t row_stride, bool last) {
    const auto upper = to_words(load_converted<Lanes>(p));
    if (last) return from_words<Lanes>(upper);
    return from_words<Lanes>(upper | (to_words(load_converted<Lanes>(p + row_stride)) >> 16));
  }
  MCT_ALWAYS_INLINE static Lanes along(const bfloat16* p) {
    const auto words = load_words<Lanes>(p);
    return from_words<Lanes>((words << 16) | (words >> 16));
  }
};

/// Columns beside each other: a row of a panel at a time.
template <class T, class P>
void pack_rows(MatrixView<const T> x, std::int64_t depth, std::int64_t count, std::int64_t width,
               P* out) {
  using From = Packed<P>;
  using V = typename From::Lanes;
  constexpr auto step = std::int64_t(lanes<V>);
  for (std::int64_t i = 0; i < depth; i += From::rows, out += width) {
    const T* row = x.data + i * x.row_stride;
    const bool last = i + From::rows > depth;
    std::int64_t j = 0;
    for (; j + step <= count; j += step)
      store_lanes(From::across(row + j, x.row_stride, last),
                  reinterpret_cast<scalar_t<V>*>(out + j));
    for (; j < count; ++j) out[j] = From::one(row + j, x.row_stride, depth - i);
    for (; j < width; ++j) out[j] = P{};
  }
}

#if MCT_WITH_XSIMD && defined(__AVX512F__)
#define MCT_TRANSPOSES_IN_REGISTERS 1
/// The lower (upper) halves of two registers, element by element in turn.
template <std::size_t size>
MCT_ALWAYS_INLINE inline __m512i zip(const __m512i& x, const __m512i& y, bool upper) {
  if constexpr (size == 4) {
    const __m512i lower = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i from = upper ? _mm512_add_epi32(lower, _mm512_set1_epi32(8)) : lower;
    return _mm512_permutex2var_epi32(x, from, y);
  } else {
    const __m512i lower = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i from = upper ? _mm512_add_epi64(lower, _mm512_set1_epi64(4)) : lower;
    return _mm512_permutex2var_epi64(x, from, y);
  }
}
/// Register i, element j becomes register j, element i: log2 n perfect shuffles.
template <std::size_t size>
MCT_ALWAYS_INLINE inline void transpose(__m512i (&x)[64 / size]) {
  constexpr std::size_t n = 64 / size;
#pragma GCC unroll 4
  for (std::size_t stage = 1; stage < n; stage *= 2) {
    __m512i y[n];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < n; ++i) y[i] = zip<size>(x[i / 2], x[i / 2 + n / 2], i % 2 == 1);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < n; ++i) x[i] = y[i];
  }
}

/// `count` depths of the panel's columns j, j + 1, ..., n of them, a register's worth. Half a
/// register's worth of columns: depths i and i + n stand in the two halves.
template <class T, class P, std::int64_t columns>
MCT_ALWAYS_INLINE inline void transpose_block(const T* corner, std::int64_t column_stride,
                                              std::int64_t width, P* out) {
  using From = Packed<P>;
  using V = typename From::Lanes;
  constexpr std::int64_t n = 64 / sizeof(P);
  static_assert(columns == n || 2 * columns == n);
  __m512i block[n];
  for (std::int64_t r = 0; r < n; ++r) {
    const std::int64_t depth = r / columns * n * From::rows;
    const V words = From::along(corner + r % columns * column_stride + depth);
    std::memcpy(&block[r], &words, sizeof(words));
  }
  transpose<sizeof(P)>(block);
  for (std::int64_t r = 0; r < n; ++r) {
    std::memcpy(out + r * width, &block[r], std::size_t(columns) * sizeof(P));
    if constexpr (columns < n) {
      const __m512i second = _mm512_shuffle_i64x2(block[r], block[r], 0x0e);
      std::memcpy(out + (r + n) * width, &second, std::size_t(columns) * sizeof(P));
    }
  }
}
#else
#define MCT_TRANSPOSES_IN_REGISTERS 0
#endif

/// Columns whose rows lie beside each other, and all other matrices.
template <class T, class P>
void pack_columns(MatrixView<const T> x, std::int64_t depth, std::int64_t count, std::int64_t width,
                  P* out) {
  using From = Packed<P>;
  std::int64_t done = 0;  // rows of x
#if MCT_TRANSPOSES_IN_REGISTERS
  constexpr std::int64_t n = 64 / sizeof(P);
  if (x.row_stride == 1 && count == width && (width % n == 0 || width == n / 2)) {
    const std::int64_t rows = (width % n == 0 ? n : 2 * n) * From::rows;
    for (; done + rows <= depth; done += rows) {
      P* target = out + done / From::rows * width;
      if (width == n / 2) {
        transpose_block<T, P, n / 2>(x.data + done, x.column_stride, width, target);
      } else {
        for (std::int64_t j = 0; j < width; j += n)
          transpose_block<T, P, n>(x.data + done + j * x.column_stride, x.column_stride, width,
                                   target + j);
      }
    }
  }
#endif
  for (std::int64_t j = 0; j < width; ++j) {
    const T* column = x.data + j * x.column_stride;
    for (std::int64_t i = done; i < depth; i += From::rows)
      out[i / From::rows * width + j] =
          j < count ? From::one(column + i * x.row_stride, x.row_stride, depth - i) : P{};
  }
}

/// `columns` columns of `depth` rows as panels of `width` columns, [panel][row][column] (of pairs:
/// [panel][row / 2][column]), with zeros behind the last column.
template <class T, class P>
void pack_plain(MatrixView<const T> x, std::int64_t depth, std::int64_t columns, std::int64_t width,
                P* out) {
  const std::int64_t steps = (depth + Packed<P>::rows - 1) / Packed<P>::rows;
  for (std::int64_t first = 0; first < columns; first += width, out += steps * width) {
    const std::int64_t count = columns - first < width ? columns - first : width;
    const MatrixView<const T> panel = x.at(first * x.column_stride);
    if (x.column_stride == 1) {
      pack_rows(panel, depth, count, width, out);
    } else {
      pack_columns(panel, depth, count, width, out);
    }
  }
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
