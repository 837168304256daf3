#include "src/linalg/residue_units.hpp"

#include "mctensor/linalg/integer_unit.hpp"
#include "mctensor/tensor/isa.hpp"
#include "src/linalg/kernels/registry.hpp"
#if MCT_KERNELS_AVX2 || MCT_KERNELS_AVX512
#include <cpuid.h>
#endif
#if MCT_KERNELS_AVX512 && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace mct::linalg_detail {

namespace {

/// AVX-VNNI: a bit of its own, which __builtin_cpu_supports of older compilers does not know.
bool has_fused_bytes_of_avx2() {
#if MCT_KERNELS_AVX2
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & (1U << 4U)) != 0;
#else
  return false;
#endif
}

bool has_fused_bytes() {
  switch (active_isa()) {
    case Isa::avx512:
#if MCT_KERNELS_AVX512
      return __builtin_cpu_supports("avx512vnni") != 0;
#else
      return false;
#endif
    case Isa::avx2:
      return has_fused_bytes_of_avx2();
    case Isa::baseline:
      break;
  }
  return false;
}

/// Whether the processor has AMX-INT8 and the operating system lets this process use it: the tile
/// registers are large, so that Linux saves them only for who has asked.
bool ask_for_matrix_unit() {
#if MCT_KERNELS_AVX512 && defined(__linux__) && defined(SYS_arch_prctl)
  constexpr unsigned tile_bit = 1U << 24U;
  constexpr unsigned int8_bit = 1U << 25U;
  constexpr long request_permission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long tile_data = 18;               // XFEATURE_XTILEDATA
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  if ((d & tile_bit) == 0 || (d & int8_bit) == 0) return false;
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
  return false;
#endif
}

bool has_matrix_unit() {
  static const bool has = ask_for_matrix_unit();
  return has && active_isa() == Isa::avx512;
}

}  // namespace

const ResidueTable& active_residue_table() { return MCT_SELECT_KERNELS(residue_table()); }

std::vector<const ResidueTile*> residue_tiles() {
  const ResidueTable& table = active_residue_table();
  std::vector<const ResidueTile*> tiles;
  if (has_matrix_unit()) tiles.push_back(&table.matrix_bytes);
  if (has_fused_bytes()) tiles.push_back(&table.fused_bytes);
  tiles.push_back(&table.pairs);
  if (active_isa() == Isa::baseline) tiles.push_back(&table.fused_bytes);  // in plain C++
  tiles.push_back(&table.model_bytes);
  return tiles;
}

const ResidueTile& best_residue_tile() {
  const ResidueTable& table = active_residue_table();
  return has_matrix_unit()   ? table.matrix_bytes
         : has_fused_bytes() ? table.fused_bytes
                             : table.pairs;
}

}  // namespace mct::linalg_detail

namespace mct {

std::string integer_unit() { return linalg_detail::best_residue_tile().unit; }

}  // namespace mct
