// The kernels of dot products and matrix products, compiled once per instruction set.
// No code here: it may be included under any instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/linalg/matrix_view.hpp"

namespace mct::linalg_detail {

/// out[0..K) = the normalized sum of n products of expansions in contiguous planes, accumulated in
/// K doubles. Y is T, or double if y is already in the format of the accumulation.
template <class T, class Y>
using DotKernel = void (*)(std::size_t n, const T* const* x, const Y* const* y, double* out);
/// Two bfloat16s that are multiplied and added one after the other: the second in memory first.
/// This is the order of the instruction (VDPBF16PS). The second number in memory is therefore the
/// number with the lower k.
struct Bfloat16Pair {
  std::uint16_t next;
  std::uint16_t first;
};

/// Such pairs of a panel of lines, [pair / 16][line][pair % 16] with zeros after the last depth:
/// the form in which the matrix unit (AMX-BF16) reads the left factor.
struct Bfloat16Line : Bfloat16Pair {};
inline constexpr int pairs_of_line = 16;

/// Packs columns of a matrix into panels of `width` columns: see pack_kernels.hpp. P: a number, or
/// a pair of them.
template <class T, class P>
using PackKernel = void (*)(MatrixView<const T> x, std::int64_t depth, std::int64_t columns,
                            std::int64_t width, P* out);

/// Rounds `count` sums to neighbouring numbers of T, whose further components lie `plane` after
/// each other. Returns false if a sum is not finite; the stored values are then meaningless.
template <class S, class T>
using StoreKernel = bool (*)(std::size_t count, const S* sums, T* out, std::int64_t plane);

/// A register tile of a matrix product in packed panels of P.
///
/// a: for each k the limbs of `rows` rows, [k][limb][row]; b: [k][limb][column], `columns` of them.
/// c: accumulator levels, [row][column / lanes][level][column % lanes], read and written.
/// Of pairs k counts pairs. P, Q: what the panels of a and of b hold.
template <class S, class P = S, class Q = P>
struct TileKernel {
  int rows;
  int columns;
  int lanes;
  void (*multiply)(std::size_t k, const P* a, const Q* b, S* c);
};

/// The tiles of one format: `many` for whole blocks, `single` for one row, `edge` for as many rows
/// as `many` and the last columns, where these fit into one vector (no columns: there is none).
template <class S, class P = S, class Q = P>
struct GemmTable {
  TileKernel<S, P, Q> many;
  TileKernel<S, P, Q> single;
  TileKernel<S, P, Q> edge;
  /// Normalizes `count` vectors of accumulator levels in place.
  void (*normalize)(std::size_t count, S* c);
};

}  // namespace mct::linalg_detail
