// The table of AdamW kernels of one 16-bit format.
#pragma once

#include "src/optim/kernels/adamw_groups.hpp"
#include "src/optim/kernels/registry.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

// With sanitizers a kernel takes long to compile: one variant is enough, the driver drops the
// metrics.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool always_metrics = true;
#else
inline constexpr bool always_metrics = false;
#endif

template <class T, Strategy S, bool Strict>
optim_detail::AdamWKernel with_metrics(bool metrics) {
  if constexpr (always_metrics) {
    return &adamw_groups<T, S, Strict, true>;
  } else {
    return metrics ? &adamw_groups<T, S, Strict, true> : &adamw_groups<T, S, Strict, false>;
  }
}

template <class T, Strategy S>
optim_detail::AdamWKernel choose_adamw(bool strict, bool metrics) {
  constexpr bool has_strict =
      S == Strategy::plain || S == Strategy::light || S == Strategy::plus || S == Strategy::kahan;
  if constexpr (S == Strategy::split16 && !std::is_same_v<T, bfloat16>) {
    return nullptr;
  } else {
    if (!strict) return with_metrics<T, S, false>(metrics);
    if constexpr (has_strict) {
      return with_metrics<T, S, true>(metrics);
    } else {
      return nullptr;
    }
  }
}

template <class T>
optim_detail::AdamWKernel choose_adamw(Strategy strategy, bool strict, bool metrics) {
  switch (strategy) {
#define MCT_STRATEGY(name) \
  case Strategy::name:     \
    return choose_adamw<T, Strategy::name>(strict, metrics);
    MCT_STRATEGY(plain)
    MCT_STRATEGY(light)
    MCT_STRATEGY(plus)
    MCT_STRATEGY(kahan)
    MCT_STRATEGY(stochastic)
    MCT_STRATEGY(stochastic_states)
    MCT_STRATEGY(residual)
    MCT_STRATEGY(residual_states)
    MCT_STRATEGY(fp8_states)
    MCT_STRATEGY(split16)
    MCT_STRATEGY(float_states)
    MCT_STRATEGY(master)
    MCT_STRATEGY(full)
#undef MCT_STRATEGY
  }
  return nullptr;
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
