// Operations of manifolds on many points.
#pragma once

#include "cuda/base/thread_number.hpp"
#include "cuda/geometry/row_memory.hpp"
#include "mctensor/geometry/operations.hpp"

namespace mct::cuda {

/// out[i] = Op(x[i], y[i]) of points of n coordinates, one a thread: dist, expmap, logmap and the
/// other operations of two operands, by the formulas of the model F (BallFormulas<Value> ...), with
/// their bounds and the host's bits.
template <class Op, class F, class T, int N, int n>
struct Pointwise {
  static constexpr int threads = 128, blocks_per_sm = 1;
  static constexpr int results = Op::result == geometry::OperationResult::number ? 1 : n;

  F formulas;
  RowMemory<const T, N, n> x, y;
  RowMemory<T, N, results> out;
  std::int64_t count;

  template <class Team>
  struct Shared {};

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>&) const {
    const std::int64_t i = thread_number<threads>(team);
    if (i >= count) return;
    using Value = typename RowMemory<T, N, n>::Value;
    const auto result = Op::template on<Value>(formulas, x.load(team, i), y.load(team, i));
    if constexpr (results == 1) {
      geometry::Point<Value, 1> one;
      one[0] = result;
      out.store(team, i, one);
    } else {
      out.store(team, i, result);
    }
  }
};

}  // namespace mct::cuda
