#include "mctensor/linalg/bfloat16_units.hpp"

#include <atomic>

#include "mctensor/tensor/isa.hpp"
#include "src/linalg/tile_permission.hpp"

namespace mct {
namespace {

std::atomic<Bfloat16Unit> wanted_unit{Bfloat16Unit::none};

}  // namespace

bool has_bfloat16_unit(Bfloat16Unit unit) {
  switch (unit) {
    case Bfloat16Unit::none:
      return true;
    case Bfloat16Unit::vector:
#if MCT_KERNELS_AVX512
      return active_isa() == Isa::avx512 && __builtin_cpu_supports("avx512bf16") != 0;
#else
      return false;
#endif
    case Bfloat16Unit::matrix:
      return linalg_detail::may_use_tiles(linalg_detail::TileProducts::bfloat16);
  }
  return false;
}

Bfloat16Unit bfloat16_unit() {
  const Bfloat16Unit unit = wanted_unit.load(std::memory_order_relaxed);
  return has_bfloat16_unit(unit) ? unit : Bfloat16Unit::none;
}

Bfloat16Unit use_bfloat16_unit(Bfloat16Unit wanted) {
  wanted_unit.store(wanted, std::memory_order_relaxed);
  return bfloat16_unit();
}

}  // namespace mct
