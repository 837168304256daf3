#include "mctensor/linalg/bfloat16_units.hpp"

#include <atomic>

#include "mctensor/tensor/isa.hpp"

namespace mct {
namespace {

std::atomic<bool> wanted_units{false};

}  // namespace

bool has_bfloat16_units() {
#if MCT_KERNELS_AVX512
  return active_isa() == Isa::avx512 && __builtin_cpu_supports("avx512bf16") != 0;
#else
  return false;
#endif
}

bool uses_bfloat16_units() {
  return wanted_units.load(std::memory_order_relaxed) && has_bfloat16_units();
}

bool use_bfloat16_units(bool wanted) {
  wanted_units.store(wanted, std::memory_order_relaxed);
  return uses_bfloat16_units();
}

}  // namespace mct
