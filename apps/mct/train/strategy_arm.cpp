// The precision strategies by name.
#include "apps/mct/train/strategy_arm.hpp"
#include "apps/mct/ranges.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>

#include "mctensor/error.hpp"

namespace mct::cli::train {

const std::vector<StrategyArm>& all_strategy_arms() {
  static const std::vector<StrategyArm> arms = [] {
    using optim::Strategy;
    std::vector<StrategyArm> list;
    for (const Strategy s : optim::all_strategies()) {
      list.push_back({to_string(s), s, optim::Arithmetic::registers});
      if (s == Strategy::plain || s == Strategy::light || s == Strategy::plus)
        list.push_back({to_string(s) + "-strict", s, optim::Arithmetic::strict});
    }
    return list;
  }();
  return arms;
}

std::vector<StrategyArm> strategy_arms(const std::vector<std::string>& names) {
  std::vector<StrategyArm> chosen;
  for (const auto& name : names) {
    bool found = false;
    for (const auto& arm : all_strategy_arms()) {
      const bool registers = arm.arithmetic == optim::Arithmetic::registers;
      if (name != arm.name && name != "all" && !(name == "registers" && registers)) continue;
      found = true;
      const bool taken = std::any_of(chosen.begin(), chosen.end(),
                                     [&](const StrategyArm& c) { return c.name == arm.name; });
      if (!taken) chosen.push_back(arm);
    }
    if (found) continue;
    std::string message = optim::successor_of(name.substr(0, name.find("-strict")));
    if (message.empty()) {
      message = ": there are all, registers";
      for (const auto& arm : all_strategy_arms()) message += ", " + arm.name;
    }
    throw DomainError(fmt::format("no strategy '{}'{}", name, message));
  }
  return chosen;
}

void add_strategy_options(CLI::App& command, std::vector<std::string>& strategies,
                          std::vector<double>& beta2) {
  command
      .add_option("--strategy", strategies,
                  "all, registers (all but the strict forms), or names with commas: plain, "
                  "light, plus, plus-strict, stochastic ...")
      ->delimiter(',');
  command.add_option("--beta2", beta2, "One or more, with commas")
      ->delimiter(',')
      ->check(between(0.0, 0.999999));
}

}  // namespace mct::cli::train
