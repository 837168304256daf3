// Residues back to expansions of doubles.
#pragma once

#include "cuda/base/thread_number.hpp"
#include "cuda/linalg/residue_tiles.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "src/linalg/kernels/residue_numbers.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::cuda {

using linalg_detail::MatrixView;

/// Puts the elements of c together from their residues, each a sum of Digits digits, and rounds
/// them to N limbs, as the host does (residue_numbers.hpp). A thread takes a word of four elements.
/// Grid: (ResidueWords::of_tile / threads, tiles of columns, tiles of rows).
template <int N, int Digits>
struct SumResidues {
  static constexpr int threads = 256, blocks_per_sm = Digits > 10 ? 1 : 2;
  static constexpr int group = 4;

  const std::uint32_t* y;
  const double* inverse;
  const double* part;
  const double* whole;
  int count;                    // of moduli
  std::int64_t modulus_stride;  // of words
  const double* row_scale[2];   // of every row and column, up to the last of the last tile
  const double* column_scale[2];
  MatrixView<double> c;
  std::int64_t rows, columns;
  /// Whether pairs of neighbours of c may be written at once.
  bool wide_stores;

  template <class Team>
  struct Shared {};

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>&) const {
    const int word = int(thread_number<threads>(team));
    const std::int64_t column =
        std::int64_t(team.block_y()) * ResidueFactor::tile + ResidueWords::column(word);
    const std::int64_t row =
        std::int64_t(team.block_z()) * ResidueFactor::tile + ResidueWords::row(word);
    if (row >= rows || column >= columns) return;
    const std::int64_t tile =
        std::int64_t(team.block_z()) * ResidueFactor::tiles_of(columns) + team.block_y();
    kernels::DigitSum<Digits, double> sum[group];
    add_all(team, y + tile * ResidueWords::of_tile + word, sum);
    MCT_UNROLL
    for (int pair = 0; pair < 2; ++pair)
      if (row + 8 * pair < rows) store(team, row + 8 * pair, column, sum + 2 * pair);
  }

 private:
  template <class Team>
  MCT_BLOCK void add_all(Team& team, const std::uint32_t* word,
                         kernels::DigitSum<Digits, double> (&sum)[group]) const {
    for (int i = 0; i < count; ++i, word += modulus_stride) {
      const std::uint32_t residues = team.template load<1>(word)[0];
      const double one_over_p = team.template load<1>(inverse + i)[0];
      double digit[Digits];
      MCT_UNROLL
      for (int t = 0; t < Digits; ++t) digit[t] = team.template load<1>(part + i * Digits + t)[0];
      MCT_UNROLL
      for (int e = 0; e < group; ++e) {
        const auto residue = double(std::int8_t(residues >> (8 * e)));
        sum[e].add(residue, one_over_p, [&digit](int t) { return digit[t]; });
      }
    }
    double digit[Digits];
    MCT_UNROLL
    for (int t = 0; t < Digits; ++t) digit[t] = team.template load<1>(whole + t)[0];
    MCT_UNROLL
    for (int e = 0; e < group; ++e) sum[e].close([&digit](int t) { return digit[t]; });
  }

  /// Two neighbours of a row.
  template <class Team>
  MCT_BLOCK void store(Team& team, std::int64_t row, std::int64_t column,
                       kernels::DigitSum<Digits, double>* sum) const {
    Pack<double, 2> limbs[N];
    MCT_UNROLL
    for (int j = 0; j < 2; ++j) {
      double limb[N];
      kernels::round_digits(sum[j].digit, limb);
      double scale[2];
      MCT_UNROLL
      for (int s = 0; s < 2; ++s)
        scale[s] = team.template load<1>(row_scale[s] + row)[0] *
                   team.template load<1>(column_scale[s] + column + j)[0];
      kernels::scale_limbs(limb, scale[0], scale[1]);
      const bool finite = isfinite(Expansion<double, 1>(limb[0]));  // else the exact sum overflows
      MCT_UNROLL
      for (int l = 0; l < N; ++l) limbs[l][j] = l == 0 || finite ? limb[l] : 0;
    }
    double* const to = c.data + row * c.row_stride + column * c.column_stride;
    MCT_UNROLL
    for (int l = 0; l < N; ++l) {
      if (wide_stores && column + 1 < columns) {
        team.store(to + l * c.plane, limbs[l]);
      } else {
        team.template store<1>(to + l * c.plane, {{limbs[l][0]}});
        if (column + 1 < columns)
          team.template store<1>(to + l * c.plane + c.column_stride, {{limbs[l][1]}});
      }
    }
  }
};

}  // namespace mct::cuda
