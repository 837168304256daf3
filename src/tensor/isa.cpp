#include "mctensor/tensor/isa.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

#include "mctensor/error.hpp"

namespace mct {
namespace {

constexpr int not_chosen = -1;
std::atomic<int> chosen{not_chosen};

std::string available_text() {
  std::string text;
  for (const Isa isa : available_isas()) text += (text.empty() ? "" : ", ") + to_string(isa);
  return text;
}

bool is_available(Isa isa) {
  const auto all = available_isas();
  return std::find(all.begin(), all.end(), isa) != all.end();
}

Isa from_environment() {
  const char* wanted = std::getenv("MCT_ISA");  // NOLINT(concurrency-mt-unsafe)
  const auto all = available_isas();
  if (all.empty())
    throw DomainError(
        "this build has kernels for another processor only; build it with MCT_KERNELS=ALL");
  if (wanted == nullptr || std::string_view(wanted).empty()) return all.back();
  for (const Isa isa : all)
    if (to_string(isa) == wanted) return isa;
  throw DomainError("MCT_ISA='" + std::string(wanted) +
                    "' is not available here; this build on this processor has " +
                    available_text());
}

}  // namespace

std::string to_string(Isa isa) {
  switch (isa) {
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
    default:
      return "baseline";
  }
}

std::vector<Isa> available_isas() {
  std::vector<Isa> isas;
#if MCT_KERNELS_BASELINE
  isas.push_back(Isa::baseline);
#endif
#if MCT_KERNELS_AVX2 || MCT_KERNELS_AVX512
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#endif
#if MCT_KERNELS_AVX2
  if (avx2) isas.push_back(Isa::avx2);
#endif
#if MCT_KERNELS_AVX512
  if (avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512cd") != 0)
    isas.push_back(Isa::avx512);
#endif
  return isas;
}

Isa active_isa() {
  int isa = chosen.load(std::memory_order_relaxed);
  if (isa == not_chosen) {
    isa = int(from_environment());
    chosen.store(isa, std::memory_order_relaxed);
  }
  return Isa(isa);
}

void set_active_isa(Isa isa) {
  if (!is_available(isa))
    throw DomainError("instruction set " + to_string(isa) + " is not available here; there is " +
                      available_text());
  chosen.store(int(isa), std::memory_order_relaxed);
}

}  // namespace mct
