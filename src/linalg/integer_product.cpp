#include "src/linalg/integer_product.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "mctensor/base/environment.hpp"
#include "src/linalg/grow.hpp"
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
  MatrixView<const double> parts[2];  // real and imaginary; lines are their columns
  int limbs = 0;
  std::int64_t count = 0;
};

std::optional<Lines> measure(const Operand& operand, bool transposed, std::int64_t depth,
                             std::int64_t count, LinePrecision precision, int threads) {
  precision.limbs = operand.limbs;
  std::vector<LineRange> ranges(static_cast<std::size_t>(count));
  const RangeKernel widen = active_residue_table().range[precision.limbs - 1];
  Lines lines;
  for (int part = 0; part < 2; ++part) {
    const auto& view = part == 0 ? operand.x : operand.imaginary;
    const auto x = transposed ? view.transposed() : view;
    lines.parts[part] = x;
    if (x.data == nullptr) continue;
    parallel_ranges(count, threads, [&](std::int64_t begin, std::int64_t end) {
      widen(x.at(begin * x.column_stride), depth, end - begin, ranges.data() + begin);
    });
  }
  auto integers = integer_lines(ranges, precision);
  if (!integers) return std::nullopt;
  static_cast<IntegerLines&>(lines) = std::move(*integers);
  lines.limbs = operand.limbs;
  lines.count = count;
  return lines;
}

/// Factors to and from integers of all lines, with room for panels that are not full.
struct Scales {
  std::vector<double> up[2];
  std::vector<double> down[2];

  Scales(const Lines& lines, std::int64_t padding) {
    const std::int64_t padded = quotient_up(lines.count, padding) * padding;
    for (int half = 0; half < 2; ++half) {
      up[half] = lines.factors(padded, half, false);
      down[half] = lines.factors(padded, half, true);
    }
  }
};

/// Some neighbouring lines in panels of the same width.
struct Panels {
  std::int64_t first;
  std::int64_t count;
  std::int64_t width;

  std::int64_t panels() const { return quotient_up(count, width); }
  std::int64_t line(std::int64_t panel) const { return first + panel * width; }
  /// The number of lines that a panel has.
  std::int64_t lines(std::int64_t panel) const { return std::min(width, count - panel * width); }
};

/// A complex product is made of three real ones instead of four, because sums of residues are exact
/// and take little time: with t = Ai (Br - Bi), Re = (Ar - Ai) Br + t and Im = (Ar + Ai) Bi + t.
/// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 23.2.4 (the 3M
/// method).
constexpr std::int64_t complex_products = 3;

/// The largest number of rows of a block. Rows are cut to integers once; columns are cut again for
/// each block of rows.
constexpr std::int64_t block_rows = 2048;
/// If the words of a block's rows take at most this number of bytes, all rows are cut at once, at
/// any depth. Otherwise they are cut again for every block of columns.
constexpr std::int64_t most_row_bytes = std::int64_t(256) << 20;

class IntegerProduct {
 public:
  IntegerProduct(Lines left, Lines right, std::int64_t k, const ResiduePlan& plan,
                 const ResidueTile& tile, bool complex)
      : a_(std::move(left)),
        b_(std::move(right)),
        k_(k),
        plan_(plan),
        tile_(tile),
        products_(complex ? complex_products : 1),
        table_(active_residue_table()),
        a_scales_(a_, tile.rows),
        b_scales_(b_, tile.columns) {
    const std::int64_t unit = tile.word_unit;
    all_words_ = quotient_up(quotient_up(k, tile.group()), unit) * unit;
    words_ = std::min<std::int64_t>(tile.most_words, all_words_);
  }

  void run(const Result& c) {
    const auto step = [&](std::int64_t lines, int width) {
      return std::max<std::int64_t>(lines / width, 1) * width;
    };
    // a block of a complex product takes little more memory than a block of a real product
    const std::int64_t rows = step(products_ > 1 ? block_rows / 2 : block_rows, tile_.rows);
    const std::int64_t columns =
        step(tile_.column_words / std::max<std::int64_t>(words_, 256), tile_.columns);
    for (std::int64_t i = 0; i < a_.count; i += rows)
      for (std::int64_t j = 0; j < b_.count; j += columns)
        block({i, std::min(rows, a_.count - i), tile_.rows},
              {j, std::min(columns, b_.count - j), tile_.columns}, j > 0, c);
  }

 private:
  /// Words of one factor, [modulus][product][panel][words][width].
  struct Words {
    ResidueWord* first = nullptr;
    std::int64_t of_product = 0;
    std::int64_t of_modulus = 0;
    std::int64_t of_pass = 0;
  };
  Words room(Storage& storage, const Panels& lines, std::int64_t passes) const {
    Words w;
    w.of_product = lines.panels() * lines.width * words_;
    w.of_modulus = products_ * w.of_product;
    w.of_pass = w.of_modulus * plan_.count;
    w.first = grow<ResidueWord>(storage, w.of_pass * passes);
    return w;
  }

  /// The product of some rows and columns. `again`: the rows are the rows of the previous call.
  void block(const Panels& rows, const Panels& columns, bool again, const Result& c) {
    auto* y =
        grow<ResidueWord>(buffers_.sums, plan_.count * products_ * product_size(rows, columns));
    const std::int64_t passes = quotient_up(all_words_, words_);
    const bool whole = passes * rows.panels() * rows.width * words_ * products_ * plan_.count <=
                       most_row_bytes / std::int64_t(sizeof(ResidueWord));
    Words left = room(buffers_.left, rows, whole ? passes : 1);
    const Words right = room(buffers_.right, columns, 1);
    for (std::int64_t from = 0; from < all_words_; from += words_) {
      const std::int64_t deep = std::min(words_, all_words_ - from);
      if (!again || !whole) fill_left(rows, from * tile_.group(), deep, left);
      fill_right(columns, from * tile_.group(), deep, right);
      multiply(rows, columns, deep, from > 0, left, right, y);
      if (whole) left.first += left.of_pass;
    }
    store(rows, columns, y, c);
  }

  static int threads_for(double operations) { return tensor_detail::threads_for(operations); }
  std::int64_t product_size(const Panels& rows, const Panels& columns) const {
    return rows.panels() * columns.panels() * tile_.result_words();
  }

  void fill_left(const Panels& rows, std::int64_t first, std::int64_t words, const Words& out) {
    const Factor factor{a_, a_scales_, plan_.left_pieces, tile_.left_order, tile_.unsigned_left};
    if (products_ == 1) return fill(factor, 0, rows, first, words, out, 0);
    fill(factor, 0, rows, first, words, out, 1);
    fill(factor, 1, rows, first, words, out, 0);
    add(out, words, rows, tile_.unsigned_left, {1, '+', 0, 2});
    add(out, words, rows, tile_.unsigned_left, {1, '-', 0, 1});
  }
  void fill_right(const Panels& columns, std::int64_t first, std::int64_t words, const Words& out) {
    const Factor factor{b_, b_scales_, plan_.right_pieces, WordOrder::by_depth, false};
    if (products_ == 1) return fill(factor, 0, columns, first, words, out, 0);
    fill(factor, 0, columns, first, words, out, 1);
    fill(factor, 1, columns, first, words, out, 2);
    add(out, words, columns, false, {1, '-', 2, 0});
  }

  /// A factor, and the form of the words that the tile reads.
  struct Factor {
    const Lines& lines;
    const Scales& scales;
    const PieceWeights* weights;
    WordOrder order;
    bool without_sign;
  };

  /// Words of some lines of one part of a factor, for one of the products.
  void fill(const Factor& factor, int part, const Panels& panels, std::int64_t first,
            std::int64_t words, const Words& out, int product) const {
    const ResidueKernel kernel = table_.residues[factor.lines.limbs - 1];
    const auto& x = factor.lines.parts[part];
    const auto fill_panel = [&](std::int64_t p) {
      const std::int64_t line = panels.line(p);
      ResiduePanel panel;
      panel.lines = panels.lines(p);
      panel.x = x.at(first * x.row_stride + line * x.column_stride);
      panel.depth = std::max<std::int64_t>(k_ - first, 0);
      panel.words = words;
      panel.width = panels.width;
      panel.unit = tile_.word_unit;
      for (int half = 0; half < 2; ++half) panel.scale[half] = factor.scales.up[half].data() + line;
      panel.order = factor.order;
      panel.without_sign = factor.without_sign;
      panel.out = out.first + product * out.of_product + p * panels.width * words;
      panel.modulus_stride = out.of_modulus;
      kernel(plan_, factor.weights, panel);
    };
    parallel_ranges(panels.panels(),
                    threads_for(4.0 * double(panels.count) * double(words) * plan_.count),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t p = begin; p < end; ++p) fill_panel(p);
                    });
  }

  struct Sum {
    int x;
    char sign;
    int y;
    int to;
  };
  /// Words of a sum or difference of the factors of two products.
  void add(const Words& all, std::int64_t words, const Panels& panels, bool without_sign,
           const Sum& sum) const {
    const WordSumKernel kernel = table_.add_words.select(plan_.size, without_sign, sum.sign == '-');
    const std::int64_t count = panels.panels() * panels.width * words;
    parallel_ranges(plan_.count, threads_for(double(count) * plan_.count),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i) {
                        ResidueWord* const first = all.first + i * all.of_modulus;
                        kernel(count, first + sum.x * all.of_product,
                               first + sum.y * all.of_product, int(plan_.modulus[i]),
                               first + sum.to * all.of_product);
                      }
                    });
  }

  /// Multiplies every tile of every modulus. A piece of work has one modulus and some rows. Results
  /// lie [modulus][product][column panel][row panel][tile].
  void multiply(const Panels& rows, const Panels& columns, std::int64_t words, bool add,
                const Words& left, const Words& right, ResidueWord* y) const {
    const std::int64_t some = std::max<std::int64_t>(
        tile_.row_words / std::max<std::int64_t>(words, 256) / tile_.rows, 1);
    const std::int64_t pieces = quotient_up(rows.panels(), some);
    const std::int64_t size = product_size(rows, columns);
    const std::int64_t left_panel = tile_.rows * words;
    const std::int64_t right_panel = tile_.columns * words;
    const auto multiply_piece = [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
      for (int product = 0; product < products_; ++product) {
        const ResidueWord* const a =
            left.first + i * left.of_modulus + product * left.of_product + begin * left_panel;
        const ResidueWord* const b =
            right.first + i * right.of_modulus + product * right.of_product;
        ResidueWord* const to = y + (i * products_ + product) * size + begin * tile_.result_words();
        const std::int64_t next_column = rows.panels() * tile_.result_words();
        TileRun run{words, end - begin, a, left_panel, b, int(plan_.modulus[i]), to};
        const ResidueWord* const next = a + (end - begin) * left_panel;
        const ResidueWord* const next_end = next + std::min(some, rows.panels() - end) * left_panel;
        const std::int64_t share = quotient_up(next_end - next, columns.panels());
        for (std::int64_t j = 0; j < columns.panels(); ++j) {
          run.next = std::min(next + j * share, next_end);
          run.next_end = std::min(run.next + share, next_end);
          tile_.multiply[add ? 1 : 0](run);
          run.b += right_panel;
          run.y += next_column;
        }
      }
    };
    parallel_ranges(plan_.count * pieces,
                    threads_for(2.0 * double(size) * double(words) * plan_.count * products_),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t piece = begin; piece < end; ++piece) {
                        const std::int64_t first = piece % pieces * some;
                        multiply_piece(piece / pieces, first,
                                       std::min(first + some, rows.panels()));
                      }
                    });
  }

  /// Rounds the elements of a block and writes them to the result, tile by tile: the residues of a
  /// tile are neighbours.
  void store(const Panels& rows, const Panels& columns, ResidueWord* y, const Result& c) const {
    const std::int64_t size = product_size(rows, columns);
    const WordSumKernel add_words = table_.add_words.select(plan_.size, false, false);
    const auto store_tiles = [&](std::int64_t i, std::vector<double>& limbs) {
      for (std::int64_t j = 0; j < columns.panels(); ++j) {
        ResidueWord* const tile = y + (j * rows.panels() + i) * tile_.result_words();
        if (products_ == 1) {
          store_tile(tile, size, rows, i, columns, j, limbs, c.x);
          continue;
        }
        for (std::int64_t m = 0; m < plan_.count; ++m)
          for (int part = 1; part <= 2; ++part) {
            ResidueWord* const sum = tile + (m * products_ + part) * size;
            add_words(tile_.result_words(), tile + m * products_ * size, sum, int(plan_.modulus[m]),
                      sum);
          }
        store_tile(tile + size, products_ * size, rows, i, columns, j, limbs, c.x);
        store_tile(tile + 2 * size, products_ * size, rows, i, columns, j, limbs, c.imaginary);
      }
    };
    parallel_ranges(rows.panels(), threads_for(16.0 * double(size) * plan_.count * products_),
                    [&](std::int64_t begin, std::int64_t end) {
                      std::vector<double> limbs(std::size_t(tile_.rows) * tile_.columns * c.limbs);
                      for (std::int64_t i = begin; i < end; ++i) store_tiles(i, limbs);
                    });
  }

  void store_tile(const ResidueWord* y, std::int64_t stride, const Panels& rows, std::int64_t i,
                  const Panels& columns, std::int64_t j, std::vector<double>& limbs,
                  const MatrixView<double>& c) const {
    const std::int64_t count = std::int64_t(limbs.size()) / tile_.rows / tile_.columns;
    const std::int64_t first = rows.line(i);
    const std::int64_t column = columns.line(j);
    ResidueResult result{y, stride, tile_.rows, rows.lines(i), tile_.columns, {}, {}, limbs.data()};
    for (int half = 0; half < 2; ++half) {
      result.row_scale[half] = a_scales_.down[half].data() + first;
      result.column_scale[half] = b_scales_.down[half].data() + column;
    }
    tile_.reconstruct[count - 1](plan_, result);
    for (std::int64_t row = 0; row < rows.lines(i); ++row) {
      const double* const of_row = limbs.data() + row * count * tile_.columns;
      double* const out = c.data + (first + row) * c.row_stride + column * c.column_stride;
      for (std::int64_t l = 0; l < count; ++l)
        copy(of_row + l * tile_.columns, columns.lines(j), out + l * c.plane, c.column_stride);
    }
  }

  static void copy(const double* from, std::int64_t count, double* to, std::int64_t stride) {
    if (stride == 1) {
      std::copy(from, from + count, to);
    } else {
      for (std::int64_t i = 0; i < count; ++i) to[i * stride] = from[i];
    }
  }

  Lines a_;
  Lines b_;
  std::int64_t k_;
  std::int64_t all_words_;
  std::int64_t words_;  // that are multiplied at a time
  const ResiduePlan& plan_;
  const ResidueTile& tile_;
  std::int64_t products_;
  const ResidueTable& table_;
  Scales a_scales_;
  Scales b_scales_;
  BorrowedBuffers buffers_;
};

/// Whether integers pay for the componentwise bound: docs/performance.md. The rule is the same on
/// every machine; therefore the bits are the same, too.
bool pays(std::int64_t m, std::int64_t n, std::int64_t k, int limbs) {
  return std::min({m, n, k}) >= (limbs == 2 ? 512 : 128);
}
constexpr int most_paying_moduli(int limbs) { return limbs == 2 ? 24 : 32; }

}  // namespace

bool integer_product(std::int64_t m, std::int64_t n, std::int64_t k, const Operand& a,
                     const Operand& b, const Result& c, const IntegerProductOptions& options) {
  if (m == 0 || n == 0 || k == 0) return false;
  const ExactEnvironment exact;
  const bool complex = c.imaginary.data != nullptr;
  const bool componentwise = options.accuracy == MatmulAccuracy::componentwise;
  const std::int64_t terms = complex ? 2 * k : k;  // of a sum
  if (componentwise &&
      (c.limbs == 1 || (!options.any_shape && !pays(complex ? 2 * m : m, n, terms, c.limbs))))
    return false;
  const int threads = tensor_detail::threads_for(double(m) * double(n) * double(k));
  const auto precision = LinePrecision::of(options.accuracy, c.limbs, double(terms));
  auto left = measure(a, true, k, m, precision, threads);
  if (!left) return false;
  auto right = measure(b, false, k, n, precision, threads);
  if (!right) return false;
  const auto size = integer_size(*left, *right, terms);
  if (!size) return false;
  const double bits = size->result_bits;
  if (componentwise && !options.any_shape &&
      moduli_for(ResidueSize::pair, bits) > most_paying_moduli(c.limbs))
    return false;
  // for the longest sums there are not enough coprime bytes; the sums that are refused must not
  // depend on the tile
  const ResidueTile* tile = options.tile != nullptr ? options.tile : &best_residue_tile();
  if (moduli_for(tile->size, bits) == 0) tile = &active_residue_table().pairs;
  const ResiduePlan& plan =
      residue_plan(tile->size, moduli_for(tile->size, bits), size->operand_digits);
  IntegerProduct(std::move(*left), std::move(*right), k, plan, *tile, complex).run(c);
  return true;
}

}  // namespace mct::linalg_detail
