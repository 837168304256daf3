// Operations of manifolds on many points.
#pragma once

#include "cuda/geometry/row_memory.hpp"
#include "mctensor/geometry/operations.hpp"

namespace mct::cuda {

/// out[i] = Op(x[i], y[i]) for points of n coordinates; a thread has one point. Op is dist, expmap,
/// logmap or another operation of two operands, by the formulas of the model F (BallFormulas<Value>
/// ...), with their bounds and the host's bits. Points go through shared memory, because threads
/// that access their own rows directly would make many accesses of a few bytes.
///
/// Grid: (count / threads, rounded up).
template <class Op, class F, class T, int N, int n>
struct Pointwise {
  static constexpr int threads = 128, blocks_per_sm = 1;
  static constexpr int results = Op::result == geometry::OperationResult::number ? 1 : n;

  F formulas;
  using Operand = RowMemory<const T, N, n>;
  using Result = RowMemory<T, N, results>;
  Operand x, y;
  Result out;
  std::int64_t count;

  using Rows = typename Operand::template Staged<threads>;
  template <class Team>
  struct Shared {
    typename Rows::template Array<Team> x, y;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const std::int64_t first = std::int64_t(team.block_x()) * threads;
    const bool is_there = first + team.rank() < count;
    {
      Rows of_x, of_y;
      of_x.load(team, x, first, count);
      of_y.load(team, y, first, count);
      of_x.write(team, shared.x);
      of_y.write(team, shared.y);
    }
    team.barrier();
    using Value = typename Operand::Value;
    typename Result::Point result;
    if (is_there) {
      const auto of = [&](const auto& rows) { return Rows::template get<Team>(rows, team.rank()); };
      const auto value = Op::template on<Value>(formulas, of(shared.x), of(shared.y));
      if constexpr (results == 1) {
        result[0] = value;
        out.store(team, first + team.rank(), result);
      } else {
        result = value;
      }
    }
    if constexpr (results == n) {
      using Out = typename Result::template Staged<threads>;
      if (is_there) Out::template put<Team>(shared.x, team.rank(), result);  // this thread's row
      team.barrier();
      Out::template store<Team>(team, shared.x, out, first, count);
    }
  }
};

}  // namespace mct::cuda
