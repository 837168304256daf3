// A loop over independent pieces of work on the threads of num_threads().
#pragma once

#include <algorithm>
#include <cstdint>

#include "mctensor/base/environment.hpp"
#include "mctensor/tensor/threads.hpp"
#include "src/tensor/thread_pool.hpp"

namespace mct::tensor_detail {

/// Simple operations that are worth a thread of their own: below, waking it costs more.
inline constexpr double cost_of_a_thread = 5e4;

/// Threads for work of about `cost` simple operations.
inline int threads_for(double cost) {
  if (!(cost >= 2 * cost_of_a_thread)) return 1;
  return int(std::min(double(num_threads()), cost / cost_of_a_thread));
}

/// Pieces for each thread: where another program takes a processor's time, its thread takes fewer
/// of them, and the others take more.
inline constexpr std::int64_t pieces_per_thread = 4;

/// Calls work(begin, end) for ranges that together are [0, count), each on one thread, and several
/// after each other on a thread; for all of them at once on the calling thread if `threads` is 1.
/// Environment and exceptions are as run_pieces says.
template <class Work>
void parallel_ranges(std::int64_t count, int threads, const Work& work) {
  threads = int(std::clamp<std::int64_t>(count, 1, threads));
  if (threads == 1) {
    const ExactEnvironment exact;
    work(std::int64_t(0), count);
    return;
  }
  const std::int64_t pieces = std::min(count, threads * pieces_per_thread);
  // count i / pieces; the product itself might overflow
  const auto begin_of = [=](std::int64_t i) {
    return count / pieces * i + count % pieces * i / pieces;
  };
  run_pieces(pieces, threads,
             [&](std::int64_t piece, int) { work(begin_of(piece), begin_of(piece + 1)); });
}

}  // namespace mct::tensor_detail
