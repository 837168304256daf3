// The table of AdamW kernels of one 16-bit format.
#pragma once

#include <array>
#include <utility>

#include "src/optim/kernels/adamw_groups.hpp"
#include "src/optim/kernels/registry.hpp"
#include "src/tensor/kernels/convert_loops.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// What is compiled for a composition: in registers a compensation is a remainder.
constexpr Composition compiled(Composition parts, bool strict) {
  if (!strict && parts.low == LowPart::compensation) parts.low = LowPart::remainder;
  return parts;
}

/// True if the kernels of T include the composition.
template <class T>
constexpr bool belongs_to(const Composition& parts) {
  if (parts.theta == Number::float32) return std::is_same_v<T, float>;
  const auto format = std::is_same_v<T, half> ? optim::Format::float16 : optim::Format::bfloat16;
  return !std::is_same_v<T, float> && parts.has_format(format);
}

template <class T, std::size_t strategy, bool Strict>
constexpr optim_detail::AdamWKernel kernel_of() {
  constexpr Composition parts = optim::strategy_table[strategy].parts;
  if constexpr (belongs_to<T>(parts) && (!Strict || parts.has_strict())) {
    return &adamw_groups<T, compiled(parts, Strict), Strict>;
  } else {
    return nullptr;
  }
}

template <class T, bool Strict, std::size_t... strategies>
constexpr auto kernel_table(std::index_sequence<strategies...> /*all*/) {
  return std::array{kernel_of<T, strategies, Strict>()...};
}

template <class T>
optim_detail::AdamWKernels choose_adamw(optim::Strategy strategy, bool strict) {
  constexpr auto all = std::make_index_sequence<optim::strategy_count>();
  static constexpr auto in_registers = kernel_table<T, false>(all);
  static constexpr auto in_strict = kernel_table<T, true>(all);
  return {(strict ? in_strict : in_registers)[std::size_t(strategy)],
          [](const float* from, void* to, std::size_t count) {
            convert_loop(count, from, static_cast<T*>(to));
          },
          [](const void* from, float* to, std::size_t count) {
            convert_loop(count, static_cast<const T*>(from), to);
          }};
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
