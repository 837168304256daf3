// How many threads an operation takes: as many as have enough to do, and one while others would
// only be waited for.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "mctensor/tensor/threads.hpp"

namespace mct::tensor_detail {

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

}  // namespace mct::tensor_detail
