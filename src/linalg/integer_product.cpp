#include "src/linalg/integer_product.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "mctensor/base/environment.hpp"
#include "mctensor/tensor/isa.hpp"
#include "src/linalg/grow.hpp"
#include "src/linalg/kernels/registry.hpp"
#include "src/linalg/residue_buffers.hpp"
#include "src/linalg/residue_lines.hpp"
#include "src/linalg/residue_units.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::linalg_detail {

namespace {

using tensor_detail::parallel_ranges;

constexpr std::int64_t quotient_up(std::int64_t x, std::int64_t y) { return (x + y - 1) / y; }

/// The rows of the left or the columns of the right operand as integers.
struct Lines : IntegerLines {
  MatrixView<const double> x;  // lines are its columns
  int limbs = 0;
  std::int64_t count = 0;
};

std::optional<Lines> measure(MatrixView<const double> x, std::int64_t depth, std::int64_t count,
                             const LinePrecision& precision, int threads) {
  std::vector<LineRange> ranges(static_cast<std::size_t>(count));
  const RangeKernel widen = MCT_SELECT_KERNELS(residue_table()).range[precision.limbs - 1];
  parallel_ranges(count, threads, [&](std::int64_t begin, std::int64_t end) {
    widen(x.at(begin * x.column_stride), depth, end - begin, ranges.data() + begin);
  });
  auto integers = integer_lines(ranges, precision);
  if (!integers) return std::nullopt;
  return Lines{std::move(*integers), x, precision.limbs, count};
}

/// Factors to and from integers of all lines, with room for panels that are not full.
struct Scales {
  std::vector<double> up[2];
  std::vector<double> down[2];

  Scales(const Lines& lines, std::int64_t width) {
    const std::int64_t padded = quotient_up(lines.count, width) * width;
    for (int half = 0; half < 2; ++half) {
      up[half] = lines.factors(padded, half, false);
      down[half] = lines.factors(padded, half, true);
    }
  }
};

/// Rows and columns of a block, at most: rows are cut to integers once, columns again for each
/// block of rows. Rows whose words stay in the second-level cache.
constexpr std::int64_t block_rows = 1024;
constexpr std::int64_t block_columns = 528;  // eleven of the widest tiles
constexpr std::int64_t cached_rows = 192;

class IntegerProduct {
 public:
  IntegerProduct(Lines left, Lines right, std::int64_t k, int limbs, const ResiduePlan& plan,
                 const ResidueTile& tile)
      : a_(std::move(left)),
        b_(std::move(right)),
        k_(k),
        limbs_(limbs),
        plan_(plan),
        tile_(tile),
        table_(MCT_SELECT_KERNELS(residue_table())),
        a_scales_(a_, tile.rows),
        b_scales_(b_, tile.columns) {}

  void run(MatrixView<double> c) {
    const std::int64_t rows = block_rows / tile_.rows * tile_.rows;
    const std::int64_t columns = block_columns / tile_.columns * tile_.columns;
    for (std::int64_t i = 0; i < a_.count; i += rows)
      for (std::int64_t j = 0; j < b_.count; j += columns)
        block({i, std::min(rows, a_.count - i), tile_.rows},
              {j, std::min(columns, b_.count - j), tile_.columns}, j > 0, c);
  }

 private:
  /// Some neighbouring lines as panels.
  struct Range {
    std::int64_t first;
    std::int64_t count;
    std::int64_t width;
    std::int64_t panels() const { return quotient_up(count, width); }
  };

  /// The product of some rows and columns; `again`: of the rows of the call before.
  void block(const Range& rows, const Range& columns, bool again, MatrixView<double> c) {
    const std::int64_t group = plan_.size == ResidueSize::pair ? 2 : 4;
    const std::int64_t unit = tile_.word_unit;
    const std::int64_t most = tile_.most_words;
    const std::int64_t all_words = quotient_up(quotient_up(k_, group), unit) * unit;
    const std::int64_t words = std::min(most, all_words);
    const std::int64_t tiles = rows.panels() * columns.panels();
    auto* y = grow<std::int16_t>(buffers_.sums, tiles * tile_size() * plan_.count);
    auto* left = grow<ResidueWord>(buffers_.left, rows.panels() * rows.width * words * plan_.count);
    auto* right =
        grow<ResidueWord>(buffers_.right, columns.panels() * columns.width * words * plan_.count);
    parallel_ranges(plan_.count, threads_for(tiles * tile_size()),
                    [&](std::int64_t begin, std::int64_t end) {
                      std::fill_n(y + begin * tiles * tile_size(),
                                  (end - begin) * tiles * tile_size(), std::int16_t(0));
                    });
    for (std::int64_t from = 0; from < all_words; from += words) {
      const std::int64_t deep = std::min(words, all_words - from);
      if (!again || words < all_words)  // else their words stand in `left`
        fill(a_, a_scales_, plan_.left, {tile_.left_order, tile_.unsigned_left}, rows, from * group,
             deep, left);
      fill(b_, b_scales_, plan_.right, {}, columns, from * group, deep, right);
      multiply(rows, columns, deep, left, right, y);
    }
    store(rows, columns, y, c);
  }

  /// For work of so many operations for every modulus.
  int threads_for(std::int64_t operations) const {
    return tensor_detail::threads_for(double(operations) * plan_.count);
  }
  std::int64_t tile_size() const { return std::int64_t(tile_.rows) * tile_.columns; }

  /// How the tile wants the words of a factor.
  struct Wanted {
    WordOrder order = WordOrder::by_depth;
    bool without_sign = false;
  };

  /// Words [modulus][panel][words][width] of some lines.
  void fill(const Lines& lines, const Scales& scales, const double* weights, Wanted wanted,
            const Range& range, std::int64_t first, std::int64_t words, ResidueWord* out) const {
    const ResidueKernel kernel = table_.residues[lines.limbs - 1];
    parallel_ranges(range.panels(), threads_for(4 * range.count * words),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t p = begin; p < end; ++p) {
                        const std::int64_t line = range.first + p * range.width;
                        ResiduePanel panel;
                        panel.x =
                            lines.x.at(first * lines.x.row_stride + line * lines.x.column_stride);
                        panel.depth = std::max<std::int64_t>(k_ - first, 0);
                        panel.words = words;
                        panel.lines = std::min(range.width, lines.count - line);
                        panel.width = range.width;
                        for (int half = 0; half < 2; ++half)
                          panel.scale[half] = scales.up[half].data() + line;
                        panel.order = wanted.order;
                        panel.without_sign = wanted.without_sign;
                        panel.out = out + p * range.width * words;
                        panel.modulus_stride = range.panels() * range.width * words;
                        kernel(plan_, weights, panel);
                      }
                    });
  }

  /// Every tile of every modulus: pieces of work of one modulus and some rows.
  void multiply(const Range& rows, const Range& columns, std::int64_t words,
                const ResidueWord* left, const ResidueWord* right, std::int16_t* y) const {
    const std::int64_t some = std::max<std::int64_t>(cached_rows / tile_.rows, 1);
    const std::int64_t pieces = quotient_up(rows.panels(), some);
    const std::int64_t tiles = rows.panels() * columns.panels();
    const std::int64_t left_panel = rows.width * words;
    const std::int64_t right_panel = columns.width * words;
    parallel_ranges(plan_.count * pieces, threads_for(tiles * tile_size() * words),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t piece = begin; piece < end; ++piece) {
                        const std::int64_t modulus = piece / pieces;
                        const std::int64_t first = piece % pieces * some;
                        const std::int64_t last = std::min(first + some, rows.panels());
                        const ResidueWord* a = left + modulus * rows.panels() * left_panel;
                        const ResidueWord* b = right + modulus * columns.panels() * right_panel;
                        for (std::int64_t j = 0; j < columns.panels(); ++j)
                          for (std::int64_t i = first; i < last; ++i)
                            tile_.multiply(
                                words, a + i * left_panel, b + j * right_panel,
                                int(plan_.modulus[modulus]),
                                y + (modulus * tiles + j * rows.panels() + i) * tile_size());
                      }
                    });
  }

  /// Rounds the elements of a block and writes them where they belong, tile by tile: the residues
  /// of a tile are neighbours.
  void store(const Range& rows, const Range& columns, const std::int16_t* y,
             MatrixView<double> c) const {
    const std::int64_t stride = rows.panels() * columns.panels() * tile_size();
    parallel_ranges(rows.panels(), threads_for(8 * rows.count * columns.count),
                    [&](std::int64_t begin, std::int64_t end) {
                      std::vector<double> limbs(std::size_t(limbs_ * tile_.columns));
                      for (std::int64_t i = begin; i < end; ++i)
                        for (std::int64_t j = 0; j < columns.panels(); ++j) {
                          const std::int64_t first = rows.first + i * rows.width;
                          store_tile(y + (j * rows.panels() + i) * tile_size(), stride, first,
                                     std::min(rows.first + rows.count - first, rows.width),
                                     columns.first + j * columns.width, limbs.data(), c);
                        }
                    });
  }

  void store_tile(const std::int16_t* y, std::int64_t stride, std::int64_t first_row,
                  std::int64_t rows, std::int64_t column, double* limbs,
                  MatrixView<double> c) const {
    const std::int64_t count = std::min<std::int64_t>(tile_.columns, b_.count - column);
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t row = first_row + i;
      ResidueResult result{y + i * tile_.columns, stride, tile_.columns, {}, {}, limbs};
      for (int half = 0; half < 2; ++half) {
        result.row_scale[half] = a_scales_.down[half][std::size_t(row)];
        result.column_scale[half] = b_scales_.down[half].data() + column;
      }
      table_.reconstruct[limbs_ - 1](plan_, result);
      for (std::int64_t j = 0; j < count; ++j)
        store_element(limbs + j, c.data + row * c.row_stride + (column + j) * c.column_stride,
                      c.plane);
    }
  }

  void store_element(const double* limbs, double* out, std::int64_t plane) const {
    *out = *limbs;
    const bool finite = std::isfinite(*limbs);  // else the exact sum overflows
    for (int l = 1; l < limbs_; ++l)
      out[l * plane] = finite ? limbs[std::int64_t(l) * tile_.columns] : 0;
  }

  Lines a_;
  Lines b_;
  std::int64_t k_;
  int limbs_;  // of the result
  const ResiduePlan& plan_;
  const ResidueTile& tile_;
  const ResidueTable& table_;
  Scales a_scales_;
  Scales b_scales_;
  BorrowedBuffers buffers_;
};

/// Whether integers pay for the componentwise bound: docs/performance.md. The rule is the same on
/// every machine, so that the bits are.
bool pays(std::int64_t m, std::int64_t n, std::int64_t k, int limbs) {
  return std::min({m, n, k}) >= (limbs == 2 ? 512 : 128);
}
constexpr int most_paying_moduli(int limbs) { return limbs == 2 ? 24 : 32; }

}  // namespace

bool integer_product(std::int64_t m, std::int64_t n, std::int64_t k, const Operand& a,
                     const Operand& b, MatrixView<double> c, int limbs,
                     const IntegerProductOptions& options) {
  if (m == 0 || n == 0 || k == 0) return false;
  const ExactEnvironment exact;
  const bool componentwise = options.accuracy == MatmulAccuracy::componentwise;
  if (componentwise && (limbs == 1 || (!options.any_shape && !pays(m, n, k, limbs)))) return false;
  const int threads = tensor_detail::threads_for(double(m) * double(n) * double(k));
  LinePrecision precision = LinePrecision::of(options.accuracy, limbs, double(k));
  precision.limbs = a.limbs;
  auto left = measure(a.x.transposed(), k, m, precision, threads);
  if (!left) return false;
  precision.limbs = b.limbs;
  auto right = measure(b.x, k, n, precision, threads);
  if (!right) return false;
  const auto size = integer_size(*left, *right, k);
  if (!size) return false;
  const int bits = size->result_bits;
  if (componentwise && !options.any_shape &&
      moduli_for(ResidueSize::pair, bits) > most_paying_moduli(limbs))
    return false;
  // there are not enough coprime bytes for the longest: what is refused must not depend on the tile
  const ResidueTile* tile = options.tile != nullptr ? options.tile : &best_residue_tile();
  if (moduli_for(tile->size, bits) == 0) tile = &MCT_SELECT_KERNELS(residue_table()).pairs;
  const ResiduePlan& plan =
      residue_plan(tile->size, moduli_for(tile->size, bits), size->operand_digits);
  IntegerProduct(std::move(*left), std::move(*right), k, limbs, plan, *tile).run(c);
  return true;
}

}  // namespace mct::linalg_detail
