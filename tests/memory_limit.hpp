// A machine with little memory, for this process.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace mct::testing {

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

/// True where memory can be limited: sanitizers reserve far more than they use, and emulators of
/// other processors take note of a limit and do not keep it.
inline bool can_limit_memory() {
#if defined(MCT_ADDRESS_SANITIZER)
  return false;
#else
  constexpr std::size_t much = std::size_t(1) << 30;
  const MemoryLimit limit(much / 2);
  void* const reserved = ::mmap(nullptr, much, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (reserved == MAP_FAILED) return true;
  ::munmap(reserved, much);
  return false;
#endif
}

}  // namespace mct::testing
