#include "src/linalg/tile_permission.hpp"

#include "mctensor/tensor/isa.hpp"
#if MCT_KERNELS_AVX512 && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace mct::linalg_detail {

namespace {

#if MCT_KERNELS_AVX512 && defined(__linux__) && defined(SYS_arch_prctl)
/// Bits of the processor's abilities (CPUID, leaf 7, register d); no bits without the system's
/// permission.
unsigned ask_for_tiles() {
  constexpr unsigned tile_bit = 1U << 24U;
  constexpr long request_permission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long tile_data = 18;               // XFEATURE_XTILEDATA
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (d & tile_bit) == 0) return 0;
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0 ? d : 0;
}
#else
unsigned ask_for_tiles() { return 0; }
#endif

}  // namespace

bool may_use_tiles(TileProducts products) {
  static const unsigned bits = ask_for_tiles();
  const unsigned wanted = products == TileProducts::bytes ? 1U << 25U : 1U << 22U;
  return (bits & wanted) != 0 && active_isa() == Isa::avx512;
}

}  // namespace mct::linalg_detail
