// The table of AdamW kernels of one 16-bit format.
#pragma once

#include "src/optim/kernels/adamw_groups.hpp"
#include "src/optim/kernels/registry.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

template <class T, Strategy S>
optim_detail::AdamWKernel choose_adamw(bool strict, bool metrics) {
  constexpr bool has_strict =
      S == Strategy::plain || S == Strategy::light || S == Strategy::plus || S == Strategy::kahan;
  if constexpr (S == Strategy::split16 && !std::is_same_v<T, bfloat16>) {
    return nullptr;
  } else {
    if (!strict)
      return metrics ? &adamw_groups<T, S, false, true> : &adamw_groups<T, S, false, false>;
    if constexpr (has_strict) {
      return metrics ? &adamw_groups<T, S, true, true> : &adamw_groups<T, S, true, false>;
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
