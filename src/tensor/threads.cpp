#include "mctensor/tensor/threads.hpp"

#include <atomic>
#include <string>

#include "mctensor/error.hpp"
#if defined(_OPENMP)
#include <omp.h>
#endif

namespace mct {
namespace {
std::atomic<int> chosen{0};
}

int num_threads() {
#if defined(_OPENMP)
  const int count = chosen.load(std::memory_order_relaxed);
  return count > 0 ? count : omp_get_max_threads();
#else
  return 1;
#endif
}

void set_num_threads(int count) {
  if (count < 1)
    throw DomainError("set_num_threads: " + std::to_string(count) + " is not at least 1");
  chosen.store(count, std::memory_order_relaxed);
}

}  // namespace mct
