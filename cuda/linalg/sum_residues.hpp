// Residues back to expansions of doubles.
#pragma once

#include "cuda/base/thread_number.hpp"
#include "cuda/linalg/residue_tiles.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "src/linalg/kernels/residue_numbers.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::cuda {

using linalg_detail::MatrixView;

/// Computes the elements of c from their residues, as sums of Digits digits, and rounds them to N
/// limbs, as the host does (residue_numbers.hpp). A thread has a word of four elements. Grid:
/// (ResidueWords::of_tile / threads, tiles of columns, tiles of rows).
template <int N, int Digits>
struct SumResidues {
  static constexpr int threads = Digits > 8 ? 128 : 256;
  static constexpr int blocks_per_sm = Digits > 8 ? 3 : 2;
  static constexpr int group = 4;
  static constexpr int batch = 4;  // moduli whose residues are loaded while earlier ones are added
  /// Numbers of a modulus in shared memory: its part's digits, 1 / p.
  static constexpr int numbers = (Digits + 2) / 2 * 2;
  static constexpr int most_rows = (linalg_detail::most_moduli + batch - 1) / batch * batch;

  const std::uint32_t* y;
  const double* inverse;
  const double* part;
  const double* whole;
  int count;                    // of moduli
  std::int64_t modulus_stride;  // of words
  const double* row_scale[2];   // of every row and column up to the end of the last tile
  const double* column_scale[2];
  MatrixView<double> c;
  std::int64_t rows, columns;
  /// Whether pairs of neighbours of c may be written at once.
  bool wide_stores;

  template <class Team>
  struct Shared {
    typename Team::template Array<double, most_rows * numbers> moduli;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    MCT_ROLL
    for (int at = team.rank(); at < most_rows * numbers; at += threads)
      shared.moduli.template write<1>(at, {{number(team, at / numbers, at % numbers)}});
    team.barrier();
    const int word = int(thread_number<threads>(team));
    const std::int64_t column =
        std::int64_t(team.block_y()) * ResidueFactor::tile + ResidueWords::column(word);
    const std::int64_t row =
        std::int64_t(team.block_z()) * ResidueFactor::tile + ResidueWords::row(word);
    if (row >= rows || column >= columns) return;
    const std::int64_t tile =
        std::int64_t(team.block_z()) * ResidueFactor::tiles_of(columns) + team.block_y();
    kernels::DigitSum<Digits, double> sum[group];
    add_all(team, shared, y + tile * ResidueWords::of_tile + word, sum);
    MCT_UNROLL
    for (int pair = 0; pair < 2; ++pair)
      if (row + 8 * pair < rows) store(team, row + 8 * pair, column, sum + 2 * pair);
  }

 private:
  /// Zeros after the last modulus, so that residues there add nothing.
  template <class Team>
  MCT_BLOCK double number(Team& team, int i, int at) const {
    if (i >= count || at > Digits) return 0;
    return team.template load<1>(at < Digits ? part + i * Digits + at : inverse + i)[0];
  }

  /// The residues of a word modulo the moduli from the first on.
  template <class Team>
  MCT_BLOCK void load_batch(Team& team, const std::uint32_t* word, int first,
                            std::uint32_t (&residues)[batch]) const {
    MCT_UNROLL
    for (int j = 0; j < batch; ++j) {
      residues[j] = 0;
      if (first + j < count)
        residues[j] = team.template load<1>(word + (first + j) * modulus_stride)[0];
    }
  }

  template <class Team>
  MCT_BLOCK void add_all(Team& team, const Shared<Team>& shared, const std::uint32_t* word,
                         kernels::DigitSum<Digits, double> (&sum)[group]) const {
    std::uint32_t next[batch];
    load_batch(team, word, 0, next);
    for (int first = 0; first < count; first += batch) {
      std::uint32_t residues[batch];
      MCT_UNROLL
      for (int j = 0; j < batch; ++j) residues[j] = next[j];
      load_batch(team, word, first + batch, next);
      MCT_UNROLL
      for (int j = 0; j < batch; ++j) add(shared, first + j, residues[j], sum);
    }
    double digit[Digits];
    MCT_UNROLL
    for (int t = 0; t < Digits; ++t) digit[t] = team.template load<1>(whole + t)[0];
    MCT_UNROLL
    for (int e = 0; e < group; ++e) sum[e].close([&digit](int t) { return digit[t]; });
  }

  template <class Team>
  MCT_BLOCK static void add(const Shared<Team>& shared, int i, std::uint32_t residues,
                            kernels::DigitSum<Digits, double> (&sum)[group]) {
    double of_modulus[numbers];
    read_numbers(shared.moduli, i * numbers, of_modulus);
    MCT_UNROLL
    for (int e = 0; e < group; ++e) {
      const auto residue = double(std::int8_t(residues >> (8 * e)));
      sum[e].add(residue, of_modulus[Digits], [&of_modulus](int t) { return of_modulus[t]; });
    }
  }

  /// Stores two neighbours of a row.
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
