#include "mctensor/tensor/threads.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#if defined(__linux__)
#include <sched.h>
#endif

#include "mctensor/error.hpp"

namespace mct {
namespace {

std::atomic<int> chosen_threads{0};

std::atomic<bool> forked{false};

/// Remembers a fork in the child.
[[maybe_unused]] const int watched =
    ::pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });

/// Those that this process may run on.
int processors() {
#if defined(__linux__)
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  return std::max(1, int(std::thread::hardware_concurrency()));
}

/// What OMP_NUM_THREADS asks for: a number, or one for each level of nested regions, of which the
/// first counts here.
int default_threads() {
  const int most = max_num_threads();
  const int all = std::min(processors(), most);
  const char* const text = std::getenv("OMP_NUM_THREADS");  // NOLINT(concurrency-mt-unsafe)
  if (text == nullptr || *text == '\0') return all;
  char* end = nullptr;
  errno = 0;
  const long wanted = std::strtol(text, &end, 10);
  const bool is_number = end != text && (*end == '\0' || *end == ',');
  const int threads = is_number && wanted > 0 ? int(std::min<long>(wanted, most)) : all;
  if (!is_number || wanted != threads)
    std::fprintf(stderr, "mctensor: OMP_NUM_THREADS is '%s', %d threads are used\n", text, threads);
  return threads;
}

}  // namespace

int max_num_threads() {
  static const int most = std::max(64, 4 * int(std::thread::hardware_concurrency()));
  return most;
}

int num_threads() {
  if (forked.load(std::memory_order_relaxed)) return 1;
  const int count = chosen_threads.load(std::memory_order_relaxed);
  if (count > 0) return count;
  static const int by_default = default_threads();
  return by_default;
}

void set_num_threads(int count) {
  if (count < 1 || count > max_num_threads())
    throw DomainError("set_num_threads: " + std::to_string(count) + " is not between 1 and " +
                      std::to_string(max_num_threads()));
  chosen_threads.store(count, std::memory_order_relaxed);
}

}  // namespace mct
