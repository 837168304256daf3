#include "src/linalg/residue_units.hpp"

#include "mctensor/linalg/integer_unit.hpp"
#include "mctensor/tensor/isa.hpp"
#include "src/linalg/kernels/registry.hpp"
#include "src/linalg/tile_permission.hpp"
#if MCT_KERNELS_AVX2
#include <cpuid.h>
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

bool has_matrix_unit() { return may_use_tiles(TileProducts::bytes); }

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
