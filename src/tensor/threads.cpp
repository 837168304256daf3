#include "mctensor/tensor/threads.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

#include "mctensor/error.hpp"
#include "src/tensor/parallel.hpp"
#if defined(_OPENMP)
#include <omp.h>
#endif

namespace mct {
namespace {

std::atomic<int> chosen_threads{0};

#if defined(_OPENMP)
std::atomic<bool> forked{false};

/// Remembers a fork in the child.
[[maybe_unused]] const int watched =
    ::pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });

/// What OpenMP says, within bounds: thousands of threads fail to start, and OpenMP then ends the
/// process.
int default_threads() {
  const int wanted = omp_get_max_threads();
  const int most = max_num_threads();
  static std::atomic<bool> warned{false};
  if (wanted > most && !warned.exchange(true))
    std::fprintf(stderr, "mctensor: OpenMP asks for %d threads, %d are used\n", wanted, most);
  return std::clamp(wanted, 1, most);
}
#endif

}  // namespace

int max_num_threads() {
  static const int most = std::max(64, 4 * int(std::thread::hardware_concurrency()));
  return most;
}

int num_threads() {
#if defined(_OPENMP)
  if (forked.load(std::memory_order_relaxed)) return 1;
  const int count = chosen_threads.load(std::memory_order_relaxed);
  return count > 0 ? count : default_threads();
#else
  return 1;
#endif
}

void set_num_threads(int count) {
  if (count < 1 || count > max_num_threads())
    throw DomainError("set_num_threads: " + std::to_string(count) + " is not between 1 and " +
                      std::to_string(max_num_threads()));
  chosen_threads.store(count, std::memory_order_relaxed);
  tensor_detail::try_threads_again();
}

}  // namespace mct
