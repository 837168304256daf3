// Residues of bytes back to expansions of doubles by the matrix unit: of sum_i y_i M / p_i the
// digits of M / p_i are cut to pieces of bytes, and pieces times residues is a product of matrices.
// Same bits as residue by residue (residue_reconstruct.hpp), because everything is exact and digits
// are brought to one form at the end.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "src/linalg/kernels/residue_reconstruct.hpp"
#include "src/linalg/kernels/residue_registers.hpp"
#include "src/linalg/kernels/tile_registers.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// The numbers of one tile, 16 columns of four rows at a time.
template <class Tiles, int N, int Digits>
class ByteNumbers {
 public:
  ByteNumbers(const ResiduePlan& plan, const ResidueResult& result)
      : plan_(plan), result_(result), word_rows_(result.rows / group) {}

  void write() {
    tiles_.configure();
    load_pieces(std::make_integer_sequence<int, piece_tiles>());
    for (std::int64_t row = 0; row < std::min(word_rows_, result_.lines); ++row)
      for (std::int64_t column = 0; column < result_.columns; column += tile_rows) {
        gather(result_.y + row * result_.columns + column);
        for (int place = 0; place < group; ++place)
          multiply(place, std::make_integer_sequence<int, piece_tiles>());
        for (int first = 0; first < group; first += 2)
          for (std::int64_t j = 0; j < tile_rows; j += double_lanes)
            write_two(row, column, first, j);
      }
    tiles_.release();
  }

 private:
  static constexpr int group = 4;
  static constexpr int of_digit = linalg_detail::pieces_of_digit;
  static constexpr int piece_tiles = (of_digit * Digits + tile_rows - 1) / tile_rows;
  static_assert(piece_tiles <= 4 && linalg_detail::most_moduli <= tile_bytes);

  template <int... T>
  void load_pieces(std::integer_sequence<int, T...>) {
    (tiles_.template load<T>(plan_.pieces[T * tile_rows], tile_bytes), ...);
  }

  /// Residues of 16 words as the unit wants a right factor: of each place of words, in rows of four
  /// moduli, those of one number beside each other. Rows without moduli stay zero.
  MCT_ALWAYS_INLINE void gather(const ResidueWord* y) {
    using W = ResidueLanes<std::uint32_t>;
    const Words even = W::all(0x00ff00ffU);
    const Words low = W::all(0x0000ffffU);
    for (int i = 0; i < plan_.count; i += group) {
      for (std::int64_t j = 0; j < tile_rows; j += word_lanes) {
        Words r[group];
        for (int m = 0; m < group; ++m) {
          const ResidueWord* const from = y + (i + m) * result_.stride + j;
          r[m] = i + m < plan_.count ? W::load(from) : W::all(0);
          __builtin_prefetch(from + tile_rows);
        }
        // two of four bytes, then two of two
        const Words a[2] = {(r[0] & even) | ((r[1] << 8) & ~even),
                            ((r[0] >> 8) & even) | (r[1] & ~even)};
        const Words b[2] = {(r[2] & even) | ((r[3] << 8) & ~even),
                            ((r[2] >> 8) & even) | (r[3] & ~even)};
        for (int odd = 0; odd < 2; ++odd) {
          const Words first = (a[odd] & low) | (b[odd] << 16);
          const Words second = (a[odd] >> 16) | (b[odd] & ~low);
          std::memcpy(&words_[odd][i / group][j], &first, sizeof(first));
          std::memcpy(&words_[odd + 2][i / group][j], &second, sizeof(second));
        }
      }
    }
  }

  template <int... T>
  MCT_ALWAYS_INLINE void multiply(int place, std::integer_sequence<int, T...>) {
    constexpr int first_sum = 5;
    const auto multiply_tile = [&]<int t>(std::integral_constant<int, t>) {
      constexpr int sum = first_sum + t % 3;
      tiles_.template zero<sum>();
      tiles_.template add_products<sum, t, 4>();
      tiles_.template store<sum>(sums_[place][t * tile_rows], tile_bytes);
    };
    tiles_.template load<4>(words_[place], tile_bytes);
    (multiply_tile(std::integral_constant<int, T>()), ...);
  }

  /// A digit of sum_i y_i M / p_i, below 2^49: sums of pieces are below 51 * 2^14, those of all but
  /// the first piece of a digit below 51 * 2^13.
  MCT_ALWAYS_INLINE DoubleLanes digit(int place, int t, std::int64_t j) const {
    const auto piece = [&](int i) { return load_integers(&sums_[place][of_digit * t + i][j]); };
    using linalg_detail::piece_place;
    const Integers low = piece(0) + (piece(1) << piece_place(1));
    const Integers high = piece(2) + (piece(3) << (piece_place(3) - piece_place(2)));
    const DoubleLanes sum =
        multiply_add(to_doubles(high), DoubleLanes(double(1 << piece_place(2))), to_doubles(low));
    return multiply_add(to_doubles(piece(4)), DoubleLanes(double(1 << piece_place(4))), sum);
  }

  MCT_ALWAYS_INLINE void write_two(std::int64_t row, std::int64_t column, int first,
                                   std::int64_t j) const {
    using V = DoubleLanes;
    DigitSum<Digits, V> sum[2];
    MCT_UNROLL
    for (int r = 0; r < 2; ++r) {
      MCT_UNROLL
      for (int t = 0; t < Digits; ++t) sum[r].digit[t] = digit(first + r, t, j);
      // M has a bit in its last digit: what the lower digits add is below 2^-58
      const V* const last = sum[r].digit + (Digits - 1);
      const V top = multiply_add(multiply_add(last[-2], V(1 / digit_unit), last[-1]),
                                 V(1 / digit_unit), last[0]);
      sum[r].turns = top * V(plan_.whole_inverse);
    }
    write_numbers<N>(plan_, result_, sum,
                     {{row + first * word_rows_, row + (first + 1) * word_rows_}, column + j});
  }

  const ResiduePlan& plan_;
  const ResidueResult& result_;
  std::int64_t word_rows_;
  Tiles tiles_;
  alignas(64) ResidueWord words_[group][tile_rows][tile_rows] = {};
  alignas(64) std::int32_t sums_[group][piece_tiles * tile_rows][tile_rows];
};

template <class Tiles, int N>
void reconstruct_bytes(const ResiduePlan& plan, const ResidueResult& result) {
  using namespace linalg_detail;
  with_digits<least_result_digits, most_result_digits>(plan.result_digits, [&](auto digits) {
    ByteNumbers<Tiles, N, decltype(digits)::value>(plan, result).write();
  });
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
