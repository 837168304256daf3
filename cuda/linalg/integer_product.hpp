// Products of matrices of doubles through integers on a device: Ozaki's second scheme, by the
// tensor cores for bytes.
#pragma once

#include <algorithm>
#include <optional>

#include "cuda/linalg/cut_residues.hpp"
#include "cuda/linalg/line_ranges.hpp"
#include "cuda/linalg/multiply_residues.hpp"
#include "cuda/linalg/product.hpp"
#include "cuda/linalg/sum_residues.hpp"
#include "src/linalg/residue_lines.hpp"

namespace mct::cuda {

/// Products of this size and moduli go through integers by themselves: a multiply-add of f64x2
/// costs 13.5 operations of the FP64 pipe, 0.2 cycles of a multiprocessor, and one modulo p 1 /
/// 4096.
inline constexpr std::int64_t least_integer_edge = 256;

/// One factor of a product through integers: rows of x.
template <int N, class Queue>
class ResidueOperand {
 public:
  ResidueOperand(const MatrixView<const double>& x, std::int64_t rows, std::int64_t depth)
      : x_(x), rows_(rows), depth_(depth) {}

  /// Reads the ranges of the rows back from the device. False if they are not for integers.
  bool measure(Queue& queue, const linalg_detail::LinePrecision& precision) {
    auto ranges = queue.template allocate<LineRange>(rows_);
    constexpr int side = TileReader::side;
    queue.run(LineRanges<N>{x_, rows_, depth_, ranges.data()},
              Grid{int((rows_ + side - 1) / side)});
    lines_ = linalg_detail::integer_lines(queue.download(ranges.data(), rows_), precision);
    return lines_.has_value();
  }
  const linalg_detail::IntegerLines& lines() const { return *lines_; }

  std::int64_t tiles() const { return ResidueFactor::tiles_of(rows_); }

  /// Factors to integers or back, of every row up to the end of the last tile.
  auto factors(Queue& queue, int half, bool inverse) const {
    return queue.upload(lines_->factors(tiles() * ResidueFactor::tile, half, inverse));
  }

  /// Cuts the rows to residues. weights: plan.left or plan.right.
  auto residues(Queue& queue, const linalg_detail::ResiduePlan& plan, const double* weights,
                const double* modulus, const double* inverse) const {
    const std::int64_t slices = ResidueFactor::slices_of(depth_);
    auto bytes =
        queue.template allocate<std::int8_t>(plan.count * tiles() * slices * ResidueFactor::slice);
    auto first = factors(queue, 0, false);
    auto second = factors(queue, 1, false);
    const ResidueFactor to{bytes.data(), int(tiles()), int(slices)};
    const Grid grid{int(tiles() * ResidueFactor::tile / TileReader::side), int(slices)};
    linalg_detail::with_operand_digits(plan.operand_digits, [&](auto digits) {
      queue.run(CutResidues<N, decltype(digits)::value>{x_,
                                                        rows_,
                                                        depth_,
                                                        {first.data(), second.data()},
                                                        weights,
                                                        modulus,
                                                        inverse,
                                                        plan.count,
                                                        to},
                grid);
    });
    return bytes;
  }

 private:
  MatrixView<const double> x_;
  std::int64_t rows_, depth_;
  std::optional<linalg_detail::IntegerLines> lines_;
};

/// c = a b of m x k and k x n matrices of N doubles through integers, with the bits and the bound
/// of mct::mm with the same accuracy: relative to the maxima of rows and columns if normwise.
/// False, and c is untouched, where it is not for integers: infinities, NaN, entries that are too
/// far apart for the componentwise bound, depths above 2^16.
template <int N, class Queue>
bool integer_product(Queue& queue, std::int64_t m, std::int64_t n, std::int64_t k,
                     const MatrixView<const double>& a, const MatrixView<const double>& b,
                     const MatrixView<double>& c, MatmulAccuracy accuracy) {
  using linalg_detail::ResidueSize;
  if (m == 0 || n == 0 || k == 0 || k > MultiplyResidues::largest_depth) return false;
  if (N == 1 && accuracy == MatmulAccuracy::componentwise) return false;
  auto precision = linalg_detail::LinePrecision::of(accuracy, N, double(k));
  precision.limbs = N;
  ResidueOperand<N, Queue> left(a, m, k);
  ResidueOperand<N, Queue> right(b.transposed(), n, k);
  if (!left.measure(queue, precision) || !right.measure(queue, precision)) return false;
  const auto size = linalg_detail::integer_size(left.lines(), right.lines(), k);
  if (!size) return false;
  const int count = linalg_detail::moduli_for(ResidueSize::byte, size->result_bits);
  if (count == 0) return false;  // there are not enough coprime bytes
  const auto& plan = linalg_detail::residue_plan(ResidueSize::byte, count, size->operand_digits);
  const auto upload = [&queue](const double* values, int length) {
    return queue.upload(std::vector<double>(values, values + length));
  };
  auto modulus = upload(plan.modulus, count);
  auto inverse = upload(plan.inverse, count);
  auto left_weights = upload(plan.left, count * plan.operand_digits);
  auto right_weights = upload(plan.right, count * plan.operand_digits);
  auto x = left.residues(queue, plan, left_weights.data(), modulus.data(), inverse.data());
  auto y = right.residues(queue, plan, right_weights.data(), modulus.data(), inverse.data());

  const auto slices = int(ResidueFactor::slices_of(k));
  const auto rows = int(left.tiles());
  const auto columns = int(right.tiles());
  const std::int64_t words = std::int64_t(rows) * columns * ResidueWords::of_tile;
  auto products = queue.template allocate<std::uint32_t>(words * count);
  queue.run(
      MultiplyResidues{
          {x.data(), rows, slices}, {y.data(), columns, slices}, modulus.data(), products.data()},
      Grid{columns, rows, count});

  auto part = upload(plan.part, count * plan.result_digits);
  auto whole = upload(plan.whole, plan.result_digits);
  auto row_first = left.factors(queue, 0, true);
  auto row_second = left.factors(queue, 1, true);
  auto column_first = right.factors(queue, 0, true);
  auto column_second = right.factors(queue, 1, true);
  linalg_detail::with_result_digits(plan.result_digits, [&](auto digits) {
    using Sum = SumResidues<N, decltype(digits)::value>;
    queue.run(Sum{products.data(),
                  inverse.data(),
                  part.data(),
                  whole.data(),
                  count,
                  words,
                  {row_first.data(), row_second.data()},
                  {column_first.data(), column_second.data()},
                  c,
                  m,
                  n,
                  rows_are_aligned(c, n)},
              Grid{ResidueWords::of_tile / Sum::threads, columns, rows});
  });
  return true;
}

/// c = a b by whatever is fastest within the bound.
template <class T, int N, class Queue>
void product(Queue& queue, std::int64_t m, std::int64_t n, std::int64_t k,
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
