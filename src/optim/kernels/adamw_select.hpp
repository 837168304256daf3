// The table of AdamW kernels of one 16-bit format.
#pragma once

#include <array>
#include <utility>

#include "src/optim/kernels/adamw_groups.hpp"
#include "src/optim/kernels/registry.hpp"
#include "src/tensor/kernels/convert_loops.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

template <class T, std::size_t strategy, bool Strict>
constexpr optim_detail::AdamWKernel kernel_of() {
  constexpr Composition parts = optim::strategy_table[strategy].parts;
  if constexpr (belongs_to<T>(parts) && (!Strict || parts.has_strict())) {
    return &adamw_groups<T, parts, Strict>;
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

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
