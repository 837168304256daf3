// Tiles of products of 8-bit integers by the matrix unit of the processor (AMX-INT8), and the same
// loop on a model of that unit in plain C++ (tile_registers.hpp).
#pragma once

#include <algorithm>
#include <cstring>

#include "src/linalg/kernels/residue_reconstruct.hpp"
#include "src/linalg/kernels/residue_registers.hpp"
#include "src/linalg/kernels/residue_tiles.hpp"
#include "src/linalg/kernels/tile_registers.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

// Residues of bytes back to expansions of doubles by the matrix unit: of sum_i y_i M / p_i the
// digits of M / p_i are cut to pieces of bytes, and pieces times residues is a product of matrices.
// Same bits as residue by residue (residue_reconstruct.hpp), because everything is exact and digits
// are brought to one form at the end.

/// Residues of 16 words as the unit wants a right factor: of each place of words, in rows of four
/// moduli, those of one number beside each other.
using ByteFactors = ResidueWord[4][tile_rows][tile_rows];
/// Of each place, of each piece of a digit: the sums of 16 numbers.
using PieceSums = std::int32_t[4][linalg_detail::most_pieces][tile_rows];

/// The first piece of a tile of pieces.
constexpr std::ptrdiff_t first_piece(int tile) { return std::ptrdiff_t(tile) * tile_rows; }

/// Calls f with the numbers of the tiles of pieces, as constants: two to four of them.
template <class F>
MCT_ALWAYS_INLINE inline void for_each_piece_tile(const ResiduePlan& plan, const F& f) {
  f(std::integral_constant<int, 0>());
  f(std::integral_constant<int, 1>());
  const int pieces = linalg_detail::pieces_of_digit * plan.result_digits;
  if (pieces > 2 * tile_rows) f(std::integral_constant<int, 2>());
  if (pieces > 3 * tile_rows) f(std::integral_constant<int, 3>());
}

/// Sums of all pieces times residues, in three steps, so that a unit's registers keep the pieces
/// from tile to tile. Only this function differs between the unit and its model.
template <class Tiles>
struct PieceProducts {
  static void begin(const ResiduePlan& plan) {
    Tiles tiles;
    tiles.configure();
    if constexpr (Tiles::are_registers) load_pieces(tiles, plan);
  }
  static void multiply(const ResiduePlan& plan, const ByteFactors& factors, PieceSums& sums) {
    Tiles tiles;
    if constexpr (!Tiles::are_registers) load_pieces(tiles, plan);
    for (int place = 0; place < 4; ++place) {
      tiles.template load<4>(factors[place], tile_bytes);
      for_each_piece_tile(plan, [&]<int t>(std::integral_constant<int, t>) {
        constexpr int sum = 5 + t % 3;
        tiles.template zero<sum>();
        tiles.template add_products<sum, t, 4>();
        tiles.template store<sum>(sums[place][first_piece(t)], tile_bytes);
      });
    }
  }
  static void end() { Tiles().release(); }

 private:
  static void load_pieces(Tiles& tiles, const ResiduePlan& plan) {
    for_each_piece_tile(plan, [&]<int t>(std::integral_constant<int, t>) {
      tiles.template load<t>(plan.pieces[first_piece(t)], tile_bytes);
    });
  }
};
/// The three steps of a unit.
struct PieceUnit {
  void (*begin)(const ResiduePlan&);
  void (*multiply)(const ResiduePlan&, const ByteFactors&, PieceSums&);
  void (*end)();
};
static_assert(linalg_detail::pieces_of_digit * linalg_detail::least_result_digits > tile_rows &&
              linalg_detail::most_pieces == 4 * tile_rows &&
              linalg_detail::most_moduli <= tile_bytes);

/// The numbers of one tile, 16 columns of four rows at a time.
template <int N, int Digits>
class ByteNumbers {
 public:
  ByteNumbers(const ResiduePlan& plan, const ResidueResult& result)
      : plan_(plan), result_(result), word_rows_(result.rows / group) {}

  void write(const PieceUnit& unit) {
    unit.begin(plan_);
    for (std::int64_t row = 0; row < std::min(word_rows_, result_.lines); ++row)
      for (std::int64_t column = 0; column < result_.columns; column += tile_rows) {
        gather(result_.y + row * result_.columns + column);
        unit.multiply(plan_, factors_, sums_);
        for (int first = 0; first < group; first += 2)
          for (std::int64_t j = 0; j < tile_rows; j += double_lanes)
            write_two(row, column, first, j);
      }
    unit.end();
  }

 private:
  static constexpr int group = 4;
  static constexpr int of_digit = linalg_detail::pieces_of_digit;

  /// Rows without moduli stay zero.
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
          std::memcpy(&factors_[odd][i / group][j], &first, sizeof(first));
          std::memcpy(&factors_[odd + 2][i / group][j], &second, sizeof(second));
        }
      }
    }
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
  alignas(64) ByteFactors factors_ = {};
  alignas(64) PieceSums sums_;
};

template <int N>
void write_byte_numbers(const ResiduePlan& plan, const ResidueResult& result,
                        const PieceUnit& unit) {
  using namespace linalg_detail;
  with_digits<least_result_digits, most_result_digits>(plan.result_digits, [&](auto digits) {
    ByteNumbers<N, decltype(digits)::value>(plan, result).write(unit);
  });
}
template <class Tiles, int N>
void reconstruct_bytes(const ResiduePlan& plan, const ResidueResult& result) {
  using Products = PieceProducts<Tiles>;
  write_byte_numbers<N>(plan, result, {&Products::begin, &Products::multiply, &Products::end});
}

/// Tiles of 32 lines by 32 columns: four tile registers of sums, two of each factor. The matrix
/// unit works by itself: meanwhile the sums of the tile before become residues, a share in every
/// step of the depth.
template <class Tiles, bool add>
class ByteTiles {
 public:
  static constexpr std::int64_t results = std::int64_t(tile_lines) * tile_lines / 4;  // words

  explicit ByteTiles(const TileRun& run)
      : run_(run), writer_(run.modulus), steps_(run.words / tile_rows), next_(run.next) {}

  void multiply() {
    tiles_.configure();
    for (std::int64_t i = 0; i < run_.tiles; ++i) multiply_tile(i);
    tiles_.release();
    const std::int64_t last = run_.tiles - 1;
    for (std::int64_t w = 0; w < results; w += word_lanes)
      writer_.write(results, w, sums_[last % 2], run_.y + last * results);
  }

 private:
  static constexpr std::int64_t step_bytes = tile_rows * line_bytes;

  MCT_ALWAYS_INLINE void multiply_tile(std::int64_t i) {
    tiles_.template zero<0>();
    tiles_.template zero<1>();
    tiles_.template zero<2>();
    tiles_.template zero<3>();
    const auto* left = reinterpret_cast<const char*>(run_.a + i * run_.a_stride);
    const auto* right = reinterpret_cast<const char*>(run_.b);
    const std::int32_t* const before = sums_[(i + 1) % 2];
    ResidueWord* const y = run_.y + (i - 1) * results;
    const std::int64_t share = (results / word_lanes + steps_ - 1) / steps_ * word_lanes;
    const std::int64_t all = i > 0 ? results : 0;
    std::int64_t written = 0;
    for (std::int64_t s = 0; s < steps_; ++s, left += step_bytes, right += step_bytes) {
      add_step<ByteProducts>(tiles_, left, right);
      if (next_ < run_.next_end) {  // every other line of the cache: the one beside it comes along
        __builtin_prefetch(next_, 0, 2);
        next_ += 2 * std::int64_t(tile_bytes / sizeof(ResidueWord));
      }
      for (const std::int64_t to = std::min(written + share, all); written < to;
           written += word_lanes)
        writer_.write(results, written, before, y);
    }
    store_sums(tiles_, reinterpret_cast<char*>(sums_[i % 2]));
  }

  const TileRun& run_;
  ResidueWriter<ResidueSize::byte, add> writer_;
  std::int64_t steps_;
  const ResidueWord* next_;
  Tiles tiles_;
  alignas(64) std::int32_t sums_[2][std::size_t(4 * results)];
};

template <class Tiles, bool add>
void multiply_byte_words(const TileRun& run) {
  ByteTiles<Tiles, add>(run).multiply();
}

template <class Tiles>
constexpr linalg_detail::ResidueTile byte_tile(const char* unit) {
  return {
      unit,
      tile_lines,
      tile_lines,
      256,
      1024 * 256,  // processors with this unit have 2 MiB
      512 * 256,
      tile_rows,
      linalg_detail::ResidueSize::byte,
      linalg_detail::WordOrder::by_line,
      false,
      {&multiply_byte_words<Tiles, false>, &multiply_byte_words<Tiles, true>},
      {&reconstruct_bytes<Tiles, 1>, &reconstruct_bytes<Tiles, 2>, &reconstruct_bytes<Tiles, 3>}};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
