// Packing of plain numbers, for which packing takes a noticeable part of a product: contiguous rows
// are copied, contiguous columns are transposed in registers.
#pragma once

#include <cstring>

#include "src/linalg/kernels/product_table.hpp"
#include "src/tensor/kernels/rounding_lanes.hpp"
#include "src/tensor/kernels/transpose.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using linalg_detail::Bfloat16Pair;
using linalg_detail::MatrixView;

/// The unit that is packed at one depth of one column: a number, or a pair of numbers of
/// neighbouring rows.
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

/// Of a register's worth of columns as many depths; of half as many columns depths i and i + n,
/// which stand in the two halves. load(column, depth, x): `limbs` registers of neighbouring depths.
template <class V, int limbs, int columns, class P, class Load>
MCT_ALWAYS_INLINE inline void transpose_block(std::int64_t width, P* out, const Load& load) {
  constexpr auto n = int(lanes<V>);
  static_assert(columns == n || 2 * columns == n);
  constexpr std::size_t bytes = std::size_t(columns) * sizeof(P);
  Register<scalar_t<V>, n> block[limbs][n];
  for (int r = 0; r < n; ++r) {
    V x[limbs];
    load(r % columns, r / columns * n, x);
    for (int l = 0; l < limbs; ++l) std::memcpy(&block[l][r], &x[l], sizeof(V));
  }
  for (int l = 0; l < limbs; ++l) {
    transpose<n>(block[l]);
    for (int r = 0; r < n; ++r) {
      std::memcpy(out + (r * limbs + l) * width, &block[l][r], bytes);
      if constexpr (columns < n)
        std::memcpy(out + ((r + n) * limbs + l) * width,
                    reinterpret_cast<const char*>(&block[l][r]) + bytes, bytes);
    }
  }
}

/// Of a full panel of `width` columns, whose depths lie beside each other, as many depths as whole
/// registers hold; returns how many.
template <class V, int limbs, class P, class Load>
MCT_ALWAYS_INLINE inline std::int64_t transpose_panel(std::int64_t depth, std::int64_t width,
                                                      P* out, const Load& load) {
  std::int64_t done = 0;
  constexpr auto n = std::int64_t(lanes<V>);
  if constexpr (n > 1) {
    if (width % n == 0) {
      for (; done + n <= depth; done += n)
        for (std::int64_t j = 0; j < width; j += n)
          transpose_block<V, limbs, int(n)>(width, out + done * limbs * width + j,
                                            [&](std::int64_t column, std::int64_t row,
                                                V(&x)[limbs]) { load(j + column, done + row, x); });
    } else if (2 * width == n) {
      for (; done + 2 * n <= depth; done += 2 * n)
        transpose_block<V, limbs, int(n / 2)>(width, out + done * limbs * width,
                                              [&](std::int64_t column, std::int64_t row,
                                                  V(&x)[limbs]) { load(column, done + row, x); });
    }
  }
  return done;
}

/// Columns whose rows lie beside each other, and all other matrices.
template <class T, class P>
void pack_columns(MatrixView<const T> x, std::int64_t depth, std::int64_t count, std::int64_t width,
                  P* out) {
  using From = Packed<P>;
  using V = typename From::Lanes;
  std::int64_t done = 0;  // rows of x
  if (x.row_stride == 1 && count == width)
    done = From::rows * transpose_panel<V, 1>(
                            depth / From::rows, width, out,
                            [&](std::int64_t column, std::int64_t row, V(&words)[1]) {
                              words[0] =
                                  From::along(x.data + row * From::rows + column * x.column_stride);
                            });
  for (std::int64_t j = 0; j < width; ++j) {
    const T* column = x.data + j * x.column_stride;
    for (std::int64_t i = done; i < depth; i += From::rows)
      out[i / From::rows * width + j] =
          j < count ? From::one(column + i * x.row_stride, x.row_stride, depth - i) : P{};
  }
}

/// `columns` columns of `depth` rows as panels of `width` columns, [panel][row][column] (of pairs:
/// [panel][row / 2][column]), with zeros after the last column.
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

// Packing for the matrix unit of bfloat16: a line has 16 pairs of neighbouring depths beside each
// other.

using linalg_detail::Bfloat16Line;

/// The columns of x, `depth` numbers each, as panels of `width` lines [panel][pair / 16][line]
/// [pair % 16], with zeros after the last column and the last depth.
inline void pack_lines(MatrixView<const bfloat16> x, std::int64_t depth, std::int64_t columns,
                       std::int64_t width, Bfloat16Line* out) {
  using From = Packed<Bfloat16Pair>;
  using V = From::Lanes;
  constexpr std::int64_t pairs_of_line = linalg_detail::pairs_of_line;
  for (std::int64_t first = 0; first < columns; first += width)
    for (std::int64_t from = 0; from < depth; from += 2 * pairs_of_line)
      for (std::int64_t j = first; j < first + width; ++j, out += pairs_of_line) {
        const bfloat16* line = x.data + j * x.column_stride + from * x.row_stride;
        if (j < columns && x.row_stride == 1 && from + 2 * pairs_of_line <= depth) {
          for (std::int64_t p = 0; p < pairs_of_line; p += std::int64_t(lanes<V>))
            store_lanes(From::along(line + 2 * p), reinterpret_cast<float*>(out + p));
          continue;
        }
        for (std::int64_t p = 0; p < pairs_of_line; ++p) {
          const std::int64_t left = j < columns ? depth - from - 2 * p : 0;
          static_cast<Bfloat16Pair&>(out[p]) =
              left > 0 ? From::one(line + 2 * p * x.row_stride, x.row_stride, left)
                       : Bfloat16Pair{};
        }
      }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
