// A loop over independent pieces of work on the threads of num_threads().
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>

#include "mctensor/base/environment.hpp"
#include "mctensor/tensor/threads.hpp"
#include "src/tensor/region_time.hpp"

namespace mct::tensor_detail {

/// Calls work(begin, end) for ranges that together are [0, count), each on one thread; on the
/// calling thread alone if `threads` is 1. An exception is thrown on once all have stopped: that of
/// the first range that has one. Every range is worked on in the floating-point environment that
/// the arithmetic needs, whatever that of the caller or of a thread of the pool.
template <class Work>
void parallel_ranges(std::int64_t count, int threads, const Work& work) {
  threads = int(std::clamp<std::int64_t>(count, 1, threads));
  if (threads == 1) {
    const ExactEnvironment exact;
    work(std::int64_t(0), count);
    return;
  }
  // count i / threads; the product itself might overflow
  const auto begin_of = [=](std::int64_t i) {
    return count / threads * i + count % threads * i / threads;
  };
  std::exception_ptr failure;
  int failed = threads;
  RegionTime region;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int i = 0; i < threads; ++i) {
    try {
      const ExactEnvironment exact;  // a thread has its own
      const RegionTime::Work time(region);
      work(begin_of(i), begin_of(i + 1));
    } catch (...) {
#pragma omp critical(mctensor_parallel_failure)
      if (i < failed) {
        failed = i;
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mct::tensor_detail
