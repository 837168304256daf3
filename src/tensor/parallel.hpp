// A loop over independent pieces of work on the threads of num_threads().
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include "mctensor/base/environment.hpp"
#include "mctensor/tensor/threads.hpp"
#include "src/tensor/region_time.hpp"

namespace mct::tensor_detail {

/// Pieces for each thread: where another program takes a processor's time, its thread takes fewer
/// of them, and the others take more.
inline constexpr std::int64_t pieces_per_thread = 4;

/// Calls work(begin, end) for ranges that together are [0, count), each on one thread, and several
/// after each other on a thread; for all of them at once on the calling thread if `threads` is 1.
/// An exception is thrown on once all have ended: that of the first range that has one. Every range
/// is worked on in the floating-point environment that the arithmetic needs, whatever that of the
/// caller or of a thread of the pool.
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
  std::exception_ptr failure;
  std::int64_t failed = pieces;
  std::atomic<std::int64_t> next{0};
  RegionTime region;
#pragma omp parallel num_threads(threads)
  {
    const ExactEnvironment exact;  // a thread has its own
    const RegionTime::Work time(region);
    for (std::int64_t i = next++; i < pieces; i = next++) {
      try {
        work(begin_of(i), begin_of(i + 1));
      } catch (...) {
#pragma omp critical(mctensor_parallel_failure)
        if (i < failed) {
          failed = i;
          failure = std::current_exception();
        }
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mct::tensor_detail
