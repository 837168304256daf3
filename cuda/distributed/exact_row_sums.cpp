#include "cuda/distributed/exact_row_sums.hpp"

#include <string>

#include "cuda/device/run.hpp"
#include "mctensor/error.hpp"

namespace mct::cuda {

void start_exact_sums(const DeviceSums& of, const Stream& stream) {
  if (of.length < 1 || of.piece < 1 || (of.result != SumResult::levels && of.piece < of.length))
    throw DomainError(
        "exact sums: rows of " + std::to_string(of.length) + " numbers in pieces of " +
        std::to_string(of.piece) +
        "; both must be at least 1, and a piece must be a whole row unless the result is levels");
  const ExactRowSums program{of};
  run(program, blocks_for(of.count * program.pieces(), ExactRowSums::warps), stream);
}

}  // namespace mct::cuda
