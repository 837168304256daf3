// Independent pieces of work on several threads.
#pragma once

#include <mpfr.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace mct::validation {

/// Calls work(0) ... work(count - 1), each once, on `threads` threads (the calling one among them).
/// The first exception stops all and is thrown on.
template <class Work>
void for_each_index(std::size_t count, int threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
    mpfr_free_cache();
  };
  std::vector<std::thread> pool;
  try {
    for (int i = 1; i < threads; ++i) pool.emplace_back(run);
  } catch (const std::system_error&) {
    // the system gives no more threads: those that run do all the work
  }
  run();
  for (auto& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mct::validation
