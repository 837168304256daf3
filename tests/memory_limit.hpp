// A machine with little memory, for this process.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace mct::testing {

/// True where memory can be limited: sanitizers reserve far more than they use.
#if defined(MCT_ADDRESS_SANITIZER)
inline constexpr bool can_limit_memory = false;
#else
inline constexpr bool can_limit_memory = true;
#endif

/// While it lives, the process gets at most so much memory beyond what it has.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    EXPECT_GT(pages, 0u);
    EXPECT_EQ(::getrlimit(RLIMIT_AS, &old_), 0);
    rlimit limit = old_;
    limit.rlim_cur = rlim_t(pages) * rlim_t(::sysconf(_SC_PAGESIZE)) + bytes;
    EXPECT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
  }
  ~MemoryLimit() { ::setrlimit(RLIMIT_AS, &old_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit old_{};
};

}  // namespace mct::testing
