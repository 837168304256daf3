// A loop over independent pieces of work on the threads of num_threads().
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

#include "mctensor/base/environment.hpp"
#include "mctensor/tensor/threads.hpp"

namespace mct::tensor_detail {

// How many threads an operation takes: as many as have enough to do, and one while others would
// only be waited for.

/// What a region of several threads takes, and what its work takes them. Where other programs use
/// the processors, a region lasts until the last of its threads has had its turn, which may be a
/// hundred times as long as its work.
class RegionTime {
 public:
  /// The work of a thread, while it lives.
  class Work {
   public:
    explicit Work(RegionTime& region);
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    ~Work();

   private:
    RegionTime& region_;
    std::int64_t begin_;
  };

  RegionTime() = default;
  RegionTime(const RegionTime&) = delete;
  RegionTime& operator=(const RegionTime&) = delete;
  /// Ends the region. If it took longer than its work takes one thread, threads do not pay for ten
  /// times as long as was lost: however busy the machine, no more than a tenth is lost to trying.
  ~RegionTime();

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> work_{0};  // nanoseconds of processors
};

/// Whether threads have paid lately, by RegionTime, or the work outlasts the time in which they do
/// not. `cost` is about how many simple operations there are.
bool threads_pay(double cost);
/// They may pay from now on: their number has been chosen anew.
void try_threads_again();

/// Simple operations that are worth a thread of their own: below, waking it costs more.
inline constexpr double cost_of_a_thread = 5e4;

/// Threads for work of about `cost` simple operations; one while others would only be waited for.
inline int threads_for(double cost) {
  if (!(cost >= 2 * cost_of_a_thread) || !threads_pay(cost)) return 1;
  return int(std::min(double(num_threads()), cost / cost_of_a_thread));
}

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
