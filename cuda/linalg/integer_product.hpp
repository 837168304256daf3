// Products of matrices of doubles through integers on a device: Ozaki's second scheme, by the
// tensor cores for bytes.
#pragma once

#include <algorithm>
#include <optional>

#include "cuda/linalg/cut_residues.hpp"
#include "cuda/linalg/multiply_residues.hpp"
#include "cuda/linalg/product.hpp"
#include "cuda/linalg/read_tile.hpp"
#include "cuda/linalg/sum_residues.hpp"
#include "src/linalg/kernels/residue_numbers.hpp"
#include "src/linalg/residue_lines.hpp"

namespace mct::cuda {

using linalg_detail::LineRange;

/// The range of every row of x, which covers all of its elements, as the host measures it.
///
/// A block takes 32 rows: grid (rows / 32 rounded up).
template <int N>
struct LineRanges {
  static constexpr int threads = TileReader::threads, blocks_per_sm = 3;
  static constexpr int side = TileReader::side;

  MatrixView<const double> x;
  std::int64_t rows, depth;
  LineRange* ranges;

  template <class Team>
  struct Shared {
    typename Team::template Array<double, N * TileReader::size> tile;
    typename Team::template Array<std::int64_t, threads> largest, smallest, normalized;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const int line = team.rank() % side;
    const std::int64_t row = std::int64_t(team.block_x()) * side;
    LineRange range;
    for (std::int64_t k = 0; k < depth; k += side) {
      TileReader::read_all<N, 1>(team, x, row, k, rows, depth, shared.tile);
      team.barrier();
      for (int c = team.rank() / side; c < side; c += TileReader::at_once) {
        double limb[N];
        MCT_UNROLL
        for (int l = 0; l < N; ++l)
          limb[l] =
              shared.tile.template read<1>(l * TileReader::size + TileReader::place(line, c))[0];
        kernels::widen_range(range, limb);
      }
      team.barrier();
    }
    shared.largest.template write<1>(team.rank(), {{range.largest}});
    shared.smallest.template write<1>(team.rank(), {{range.smallest}});
    shared.normalized.template write<1>(team.rank(), {{range.normalized}});
    team.barrier();
    if (team.rank() >= side || row + line >= rows) return;
    for (int other = line + side; other < threads; other += side) {
      const std::int64_t largest = shared.largest.template read<1>(other)[0];
      const std::int64_t smallest = shared.smallest.template read<1>(other)[0];
      range.largest = largest > range.largest ? largest : range.largest;
      range.smallest = smallest < range.smallest ? smallest : range.smallest;
      if (shared.normalized.template read<1>(other)[0] == 0) range.normalized = 0;
    }
    store(team, ranges + row + line, range);
  }

 private:
  template <class Team>
  MCT_BLOCK static void store(Team& team, LineRange* to, const LineRange& range) {
    team.template store<1>(&to->largest, {{range.largest}});
    team.template store<1>(&to->smallest, {{range.smallest}});
    team.template store<1>(&to->normalized, {{range.normalized}});
  }
};

}  // namespace mct::cuda

namespace mct::cuda {

/// Products with all edges of at least this length go through integers by default: a multiply-add
/// of f64x2 costs 13.5 operations of the FP64 pipe, 0.2 cycles of a multiprocessor, and a
/// multiply-add modulo p costs 1 / 4096 cycles.
inline constexpr std::int64_t least_integer_edge = 256;

/// The digits of operands and results for which programs are compiled: those of usual numbers, and
/// one more for a wider spread of exponents.
template <int N>
inline constexpr int operand_digits = N == 1   ? 2
                                      : N == 2 ? 3
                                               : 5;
template <int N>
inline constexpr int result_digits = N == 1   ? 4
                                     : N == 2 ? 7
                                              : 10;

constexpr bool is_compiled(int digits, int first) { return digits == first || digits == first + 1; }

/// One factor of a product through integers: rows of x.
template <int N>
class ResidueOperand {
 public:
  using Plan = linalg_detail::ResiduePlan;

  ResidueOperand(const MatrixView<const double>& x, std::int64_t rows, std::int64_t depth)
      : x_(x), rows_(rows), depth_(depth) {}

  /// Reads the ranges of the rows back from the device. False if they are too wide for integers.
  bool measure(const StreamQueue& queue, const linalg_detail::LinePrecision& precision) {
    const auto ranges = queue.allocate<LineRange>(rows_);
    queue.run(LineRanges<N>{x_, rows_, depth_, ranges.data()}, blocks_for(rows_, TileReader::side));
    lines_ = linalg_detail::integer_lines(queue.download(ranges.data(), rows_), precision);
    return lines_.has_value();
  }
  const linalg_detail::IntegerLines& lines() const { return *lines_; }

  std::int64_t tiles() const { return ResidueFactor::tiles_of(rows_); }
  std::int64_t slices() const { return ResidueFactor::slices_of(depth_); }

  /// Uploads the factors that scale rows to integers and back, each as a product of two numbers,
  /// for every row up to the end of the last tile.
  void upload_factors(const StreamQueue& queue) {
    std::vector<double> all;
    for (const bool inverse : {false, true})
      for (const int half : {0, 1}) {
        const auto some = lines_->factors(padded_rows(), half, inverse);
        all.insert(all.end(), some.begin(), some.end());
      }
    factors_.emplace(queue.upload(all));
  }
  const double* factor(bool inverse, int half) const {
    return factors_->data() + ((inverse ? 2 : 0) + half) * padded_rows();
  }

  /// Cuts the rows to residues. plan: the device's copy; weights: its left or right.
  StreamQueue::Buffer<std::int8_t> residues(const StreamQueue& queue, const Plan& host,
                                            const Plan* plan, const double* weights) const {
    auto bytes =
        queue.allocate<std::int8_t>(host.count * tiles() * slices() * ResidueFactor::slice);
    const ResidueFactor to{bytes.data(), int(tiles()), int(slices())};
    const Grid grid{int(padded_rows() / TileReader::side), int(slices())};
    constexpr int first = operand_digits<N>;
    linalg_detail::with_digits<first, first + 1>(host.operand_digits, [&](auto digits) {
      queue.run(CutResidues<N, decltype(digits)::value>{x_,
                                                        rows_,
                                                        depth_,
                                                        {factor(false, 0), factor(false, 1)},
                                                        weights,
                                                        plan->modulus,
                                                        plan->inverse,
                                                        host.count,
                                                        to},
                grid);
    });
    return bytes;
  }

 private:
  std::int64_t padded_rows() const { return tiles() * ResidueFactor::tile; }

  MatrixView<const double> x_;
  std::int64_t rows_, depth_;
  std::optional<linalg_detail::IntegerLines> lines_;
  std::optional<StreamQueue::Buffer<double>> factors_;
};

/// Both factors of a product through integers, and the moduli that represent the result.
template <int N>
struct IntegerFactors {
  ResidueOperand<N> left, right;
  const linalg_detail::ResiduePlan* plan = nullptr;  // null: not for integers
};

/// Reads the ranges of both factors. There is no plan for infinities, NaN, entries that are too far
/// apart for the componentwise bound, depths above 2^16, or more tiles than a grid has blocks.
template <int N>
IntegerFactors<N> integer_factors(const StreamQueue& queue, std::int64_t m, std::int64_t n,
                                  std::int64_t k, const MatrixView<const double>& a,
                                  const MatrixView<const double>& b, MatmulAccuracy accuracy) {
  using linalg_detail::ResidueSize;
  IntegerFactors<N> factors{{a, m, k}, {b.transposed(), n, k}};
  if (m == 0 || n == 0 || k == 0 || k > MultiplyResidues::largest_depth) return factors;
  if (std::max(ResidueFactor::tiles_of(m), ResidueFactor::tiles_of(n)) > Grid::max_y)
    return factors;
  if (N == 1 && accuracy == MatmulAccuracy::componentwise) return factors;
  auto precision = linalg_detail::LinePrecision::of(accuracy, N, double(k));
  precision.limbs = N;
  if (!factors.left.measure(queue, precision) || !factors.right.measure(queue, precision))
    return factors;
  const auto size = linalg_detail::integer_size(factors.left.lines(), factors.right.lines(), k);
  if (!size) return factors;
  const int count = linalg_detail::moduli_for(ResidueSize::byte, size->result_bits);
  if (count == 0) return factors;  // there are not enough coprime bytes
  const auto& plan = linalg_detail::residue_plan(ResidueSize::byte, count, size->operand_digits);
  if (is_compiled(plan.operand_digits, operand_digits<N>) &&
      is_compiled(plan.result_digits, result_digits<N>))
    factors.plan = &plan;
  return factors;
}

/// c = a b of m x k and k x n matrices of N doubles through integers, with the bits and the bound
/// of mct::mm with the same accuracy: relative to the maxima of rows and columns if normwise. If
/// there is no plan (integer_factors), it returns false and does not change c.
template <int N>
bool integer_product(const StreamQueue& queue, std::int64_t m, std::int64_t n, std::int64_t k,
                     const MatrixView<const double>& a, const MatrixView<const double>& b,
                     const MatrixView<double>& c, MatmulAccuracy accuracy) {
  auto factors = integer_factors<N>(queue, m, n, k, a, b, accuracy);
  if (!factors.plan) return false;
  const linalg_detail::ResiduePlan& plan = *factors.plan;
  const int count = plan.count;
  auto& left = factors.left;
  auto& right = factors.right;
  // all uploads come before the first program, because an upload waits for earlier programs
  const auto numbers = queue.upload(std::vector<linalg_detail::ResiduePlan>{plan});
  const linalg_detail::ResiduePlan* const there = numbers.data();
  left.upload_factors(queue);
  right.upload_factors(queue);
  const auto x = left.residues(queue, plan, there, there->left);
  const auto y = right.residues(queue, plan, there, there->right);

  const auto slices = int(left.slices());
  const auto rows = int(left.tiles());
  const auto columns = int(right.tiles());
  const std::int64_t words = std::int64_t(rows) * columns * ResidueWords::of_tile;
  const auto products = queue.allocate<std::uint32_t>(words * count);
  const MultiplyResidues multiply{
      {x.data(), rows, slices}, {y.data(), columns, slices}, there->modulus, products.data()};
  queue.run(multiply, Grid{multiply.blocks(), 1, count});
  constexpr int first = result_digits<N>;
  linalg_detail::with_digits<first, first + 1>(plan.result_digits, [&](auto digits) {
    using Sum = SumResidues<N, decltype(digits)::value>;
    queue.run(Sum{products.data(),
                  there->inverse,
                  there->part,
                  there->whole,
                  count,
                  words,
                  {left.factor(true, 0), left.factor(true, 1)},
                  {right.factor(true, 0), right.factor(true, 1)},
                  c,
                  m,
                  n,
                  rows_are_aligned(c, n)},
              Grid{ResidueWords::of_tile / Sum::threads, columns, rows});
  });
  return true;
}

/// c = a b by the fastest method within the bound.
template <class T, int N>
void product(const StreamQueue& queue, std::int64_t m, std::int64_t n, std::int64_t k,
             const MatrixView<const T>& a, const MatrixView<const T>& b, const MatrixView<T>& c,
             MatmulAccuracy accuracy = MatmulAccuracy::componentwise) {
  if constexpr (std::is_same_v<T, double>) {
    const bool pays = std::min({m, n, k}) >= least_integer_edge;
    if ((pays || accuracy == MatmulAccuracy::normwise) &&
        integer_product<N>(queue, m, n, k, a, b, c, accuracy))
      return;
  }
  vector_product<T, N>(queue, m, n, k, a, b, c);
}

}  // namespace mct::cuda

/// The list of programs of integer_product, for the source that compiles them.
#define MCT_INTEGER_PRODUCT_PROGRAMS(DO, N) \
  DO(LineRanges<N>)                         \
  DO(CutResidues<N, operand_digits<N>>)     \
  DO(CutResidues<N, operand_digits<N> + 1>) \
  DO(SumResidues<N, result_digits<N>>)      \
  DO(SumResidues<N, result_digits<N> + 1>)
#define MCT_FOR_EACH_INTEGER_PRODUCT(DO) \
  MCT_INTEGER_PRODUCT_PROGRAMS(DO, 1)    \
  MCT_INTEGER_PRODUCT_PROGRAMS(DO, 2)    \
  MCT_INTEGER_PRODUCT_PROGRAMS(DO, 3)    \
  DO(MultiplyResidues)
