// Independent pieces of work on several threads, and the filter that chooses among them.
#pragma once

#include <mpfr.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <regex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "mctensor/error.hpp"

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

/// The filter of the command line: a regular expression, searched in any case.
class NameFilter {
 public:
  /// Throws DomainError if the text is not a regular expression. An empty text lets all pass.
  explicit NameFilter(const std::string& text) {
    try {
      pattern_ = std::regex(text, std::regex::ECMAScript | std::regex::icase);
    } catch (const std::regex_error& error) {
      throw DomainError("filter '" + text + "' is not a regular expression: " + error.what());
    }
  }

  bool passes(const std::string& name) const { return std::regex_search(name, pattern_); }

 private:
  std::regex pattern_;
};

}  // namespace mct::validation
