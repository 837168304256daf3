#include "mctensor/device/reduce.hpp"

#include "cuda/device/run.hpp"
#include "cuda/tensor/extremes.hpp"
#include "cuda/tensor/guarded_row_sums.hpp"
#include "src/device/launches.hpp"

namespace mct::cuda {
namespace {

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
DeviceTensor<T, N> scaled_sum(const DeviceTensor<T, N>& x, Over over, bool is_mean) {
  using Pieces = PieceSums<T, N>;
  using Join = JoinSums<T, N>;
  using Guarded = GuardedRowSums<T, N>;
  const Rows rows(x.shape(), over);
  const Stream& stream = x.stream();
  auto out = DeviceTensor<T, N>::uninitialized(rows.result, stream);
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
  return out;
}

template <class T, int N>
DeviceTensor<T, N> extreme(bool is_min, const DeviceTensor<T, N>& x, Over over) {
  using Pieces = PieceExtremes<T, N>;
  using Join = JoinExtremes<T, N>;
  const Rows rows(x.shape(), over);
  if (rows.length == 0 && rows.count > 0)
    throw ShapeError(std::string(is_min ? "min" : "max") +
                     ": no elements to choose from in shape " + to_string(x.shape()));
  const Stream& stream = x.stream();
  auto out = DeviceTensor<T, N>::uninitialized(rows.result, stream);
  const std::int64_t pieces = rows.pieces();
  DeviceTensor<T, N> parts;
  if (pieces > 1) parts = DeviceTensor<T, N>::uninitialized({rows.count, pieces}, stream);
  run(Pieces{const_planes(x), rows.count, rows.length, planes(out), planes(parts), is_min,
             rows_are_wide(x, rows)},
      blocks_for(rows.count * pieces, Pieces::warps), stream);
  if (pieces > 1)
    run(Join{const_planes(parts), rows.count, pieces, planes(out), is_min},
        blocks_for(rows.count, Join::warps), stream);
  return out;
}

}  // namespace

template <class T, int N>
DeviceTensor<T, N> sum(const DeviceTensor<T, N>& x, Over over) {
  return scaled_sum(x, over, false);
}
template <class T, int N>
DeviceTensor<T, N> mean(const DeviceTensor<T, N>& x, Over over) {
  return scaled_sum(x, over, true);
}
template <class T, int N>
DeviceTensor<T, N> max(const DeviceTensor<T, N>& x, Over over) {
  return extreme(false, x, over);
}
template <class T, int N>
DeviceTensor<T, N> min(const DeviceTensor<T, N>& x, Over over) {
  return extreme(true, x, over);
}

#define MCT_INSTANTIATE(T, N)                                        \
  template DeviceTensor<T, N> sum(const DeviceTensor<T, N>&, Over);  \
  template DeviceTensor<T, N> mean(const DeviceTensor<T, N>&, Over); \
  template DeviceTensor<T, N> max(const DeviceTensor<T, N>&, Over);  \
  template DeviceTensor<T, N> min(const DeviceTensor<T, N>&, Over);
MCT_FOR_EACH_DEVICE_TYPE(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::cuda
