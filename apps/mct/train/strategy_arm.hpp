// The precision strategies that the experiments compare: a strategy and its arithmetic.
#pragma once

#include <string>
#include <vector>

#include "mctensor/optim/mc_adamw.hpp"

namespace CLI {
class App;
}

namespace mct::cli::train {

/// "plus", "plus-strict" ...: the plain name means arithmetic in float registers.
struct StrategyArm {
  std::string name;
  optim::Strategy strategy = optim::Strategy::plain;
  optim::Arithmetic arithmetic = optim::Arithmetic::registers;
};

/// All strategies; a strategy with a strict form is followed by it.
const std::vector<StrategyArm>& all_strategy_arms();
/// "all", "registers" (all without the strict forms), or names; throws DomainError listing them.
std::vector<StrategyArm> strategy_arms(const std::vector<std::string>& names);

/// The options --strategy and --beta2 of a command; their values on entry are the defaults.
void add_strategy_options(CLI::App& command, std::vector<std::string>& strategies,
                          std::vector<double>& beta2);

}  // namespace mct::cli::train
