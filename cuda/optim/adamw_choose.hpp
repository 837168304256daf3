// Which AdamW program a step needs.
#pragma once

#include <type_traits>
#include <utility>

#include "cuda/optim/adamw.hpp"

namespace mct::cuda {

/// The options that choose the program of a step, beside the 16-bit format T (float for
/// Strategy::full).
struct AdamWChoice {
  optim::Strategy strategy = optim::Strategy::plus;
  bool strict = false;
  /// Any of: gradients may be infinite or NaN (their elements then do not change), or are floats
  /// while theta is not; AMSGrad; decay in the gradient; a scale of metrics other than 1.
  bool rare = false;
  bool measured = false;
};

/// Calls use(std::type_identity<Program>()) with the program of the choice and returns true.
/// Returns false if there is no program, because T is not the strategy's or the strategy has no
/// strict arithmetic.
///
/// Rare combinations, and all programs of strict arithmetic, are compiled with metrics only.
template <class T, class Use>
bool with_adamw(const AdamWChoice& choice, const Use& use) {
  const auto use_strategy = [&]<std::size_t strategy>() {
    constexpr Composition parts = optim::strategy_table[strategy].parts;
    if constexpr (kernels::belongs_to<T>(parts)) {
      if (choice.strict) {
        if constexpr (parts.has_strict())
          use(std::type_identity<AdamW<T, parts, true, true, true>>());
        return parts.has_strict();
      } else if (choice.rare) {
        use(std::type_identity<AdamW<T, parts, false, true, true>>());
      } else if (choice.measured) {
        use(std::type_identity<AdamW<T, parts, false, false, true>>());
      } else {
        use(std::type_identity<AdamW<T, parts, false, false, false>>());
      }
      return true;
    } else {
      return false;
    }
  };
  return [&]<std::size_t... strategies>(std::index_sequence<strategies...> /*all*/) {
    return ((choice.strategy == optim::Strategy(strategies) &&
             use_strategy.template operator()<strategies>()) ||
            ...);
  }
  (std::make_index_sequence<optim::strategy_count>());
}

}  // namespace mct::cuda
