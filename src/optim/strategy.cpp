#include "mctensor/optim/strategy.hpp"

#include "mctensor/error.hpp"

namespace mct::optim {

std::string to_string(Strategy strategy) { return strategy_table[std::size_t(strategy)].name; }

Strategy strategy_from_name(std::string_view name) {
  std::string known;
  for (const NamedComposition& row : strategy_table) {
    if (row.name == name) return row.strategy;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw DomainError("'" + std::string(name) + "' is no precision strategy; there are " + known);
}

const std::array<Strategy, strategy_count>& all_strategies() {
  static constexpr auto all = [] {
    std::array<Strategy, strategy_count> result{};
    for (std::size_t i = 0; i < strategy_count; ++i) result[i] = strategy_table[i].strategy;
    return result;
  }();
  return all;
}

std::string to_string(Format format) { return format == Format::float16 ? "float16" : "bfloat16"; }

}  // namespace mct::optim
