// Starts reductions. Sources that instantiate them for types of numbers include it.
#pragma once

#include "cuda/device/run.hpp"
#include "cuda/tensor/extremes.hpp"
#include "cuda/tensor/guarded_row_sums.hpp"
#include "mctensor/device/reduce.hpp"
#include "src/device/launches.hpp"

namespace mct::cuda {
namespace reduce {

/// A reduction as rows, each of which makes one element.
struct Rows {
  Shape result;
  std::int64_t count = 1, length = 1;

  Rows(const Shape& shape, Over over) {
    if (over == Over::all) {
      length = numel(shape);
      return;
    }
    if (shape.empty()) throw ShapeError("a device tensor of shape () has no last dimension");
    result = leading_shape(shape);
    count = numel(result);
    length = shape.back();
  }
  std::int64_t pieces() const { return tensor_detail::sum_pieces(length); }
};

/// Whether all packs of neighbours in rows are aligned.
template <class T, int N>
bool rows_are_wide(const DeviceTensor<T, N>& x, const Rows& rows) {
  return is_wide(x) && (rows.count == 1 || rows.length % widest<T> == 0);
}

template <class T, int N>
void start_sum(const DeviceTensor<T, N>& out, const DeviceTensor<T, N>& x, const Rows& rows,
               bool is_mean) {
  using Pieces = PieceSums<T, N>;
  using Join = JoinSums<T, N>;
  using Guarded = GuardedRowSums<T, N>;
  const Stream& stream = x.stream();
  const std::int64_t pieces = rows.pieces();
  // a row of no elements is a piece of none
  const SumOperands<T, N> operands{const_planes(x), rows.count, rows.length,
                                   planes(out),     is_mean,    rows_are_wide(x, rows)};
  DeviceTensor<double, Pieces::levels> parts;
  if (pieces > 1)
    parts = DeviceTensor<double, Pieces::levels>::uninitialized({rows.count, pieces}, stream);
  run(Pieces{operands, planes(parts)}, blocks_for(rows.count * operands.pieces(), Pieces::groups),
      stream);
  if (pieces > 1)
    run(Join{operands, const_planes(parts)}, blocks_for(rows.count, Join::rows_of_block), stream);
  if (rows.length > 0) run(Guarded{operands}, blocks_for(rows.count, Guarded::threads), stream);
}

template <class T, int N>
void start_extreme(const DeviceTensor<T, N>& out, const DeviceTensor<T, N>& x, const Rows& rows,
                   bool is_min) {
  using Pieces = PieceExtremes<T, N>;
  using Join = JoinExtremes<T, N>;
  if (rows.length == 0 && rows.count > 0)
    throw ShapeError(std::string(is_min ? "min" : "max") +
                     ": no elements to choose from in shape " + to_string(x.shape()));
  const Stream& stream = x.stream();
  const std::int64_t pieces = rows.pieces();
  DeviceTensor<T, N> parts;
  if (pieces > 1) parts = DeviceTensor<T, N>::uninitialized({rows.count, pieces}, stream);
  run(Pieces{const_planes(x), rows.count, rows.length, planes(out), planes(parts), is_min,
             rows_are_wide(x, rows)},
      blocks_for(rows.count * pieces, Pieces::warps), stream);
  if (pieces > 1)
    run(Join{const_planes(parts), rows.count, pieces, planes(out), is_min},
        blocks_for(rows.count, Join::warps), stream);
}

template <class T, int N>
void start_reduction(const DeviceTensor<T, N>& out, Reduction how, const DeviceTensor<T, N>& x,
                     const Rows& rows) {
  if (how == Reduction::sum || how == Reduction::mean)
    start_sum(out, x, rows, how == Reduction::mean);
  else
    start_extreme(out, x, rows, how == Reduction::min);
}

template <class T, int N>
DeviceTensor<T, N> reduced(Reduction how, const DeviceTensor<T, N>& x, Over over) {
  const Rows rows(x.shape(), over);
  auto out = DeviceTensor<T, N>::uninitialized(rows.result, x.stream());
  start_reduction(out, how, x, rows);
  return out;
}

}  // namespace reduce

template <class T, int N>
DeviceTensor<T, N> sum(const DeviceTensor<T, N>& x, Over over) {
  return reduce::reduced(Reduction::sum, x, over);
}
template <class T, int N>
DeviceTensor<T, N> mean(const DeviceTensor<T, N>& x, Over over) {
  return reduce::reduced(Reduction::mean, x, over);
}
template <class T, int N>
DeviceTensor<T, N> max(const DeviceTensor<T, N>& x, Over over) {
  return reduce::reduced(Reduction::max, x, over);
}
template <class T, int N>
DeviceTensor<T, N> min(const DeviceTensor<T, N>& x, Over over) {
  return reduce::reduced(Reduction::min, x, over);
}
template <class T, int N>
void reduce_to(const DeviceTensor<T, N>& out, Reduction how, const DeviceTensor<T, N>& x,
               Over over) {
  const reduce::Rows rows(x.shape(), over);
  if (out.shape() != rows.result)
    throw ShapeError("a device tensor of shape " + to_string(out.shape()) +
                     " cannot hold a result of shape " + to_string(rows.result));
  const Ordered ordered(x.stream(), out);
  reduce::start_reduction(out, how, x, rows);
}

}  // namespace mct::cuda
