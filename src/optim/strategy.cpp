#include "mctensor/optim/strategy.hpp"

#include "mctensor/error.hpp"

namespace mct::optim {
namespace {

struct Row {
  Strategy strategy;
  const char* name;
  Layout layout;
};

// theta, low, m, v, v_low, grad, scales for a group
constexpr std::array<Row, strategy_count> rows = {{
    {Strategy::plain, "plain", {2, 0, 2, 2, 0, 2, 0}},
    {Strategy::light, "light", {2, 2, 2, 2, 0, 2, 0}},
    {Strategy::plus, "plus", {2, 2, 2, 2, 2, 2, 0}},
    {Strategy::kahan, "kahan", {2, 2, 2, 2, 0, 2, 0}},
    {Strategy::stochastic, "stochastic", {2, 0, 2, 2, 0, 2, 0}},
    {Strategy::stochastic_states, "stochastic-states", {2, 0, 2, 2, 0, 2, 0}},
    {Strategy::residual, "residual", {2, 2, 2, 2, 0, 2, 0}},
    {Strategy::residual_states, "residual-states", {2, 2, 2, 2, 2, 2, 0}},
    {Strategy::fp8_states, "fp8-states", {2, 2, 1, 1, 0, 2, 8}},
    {Strategy::split16, "split16", {2, 2, 4, 4, 0, 2, 0}},
    {Strategy::float_states, "float-states", {2, 0, 4, 4, 0, 2, 0}},
    {Strategy::master, "master", {2, 4, 4, 4, 0, 2, 0}},
    {Strategy::full, "full", {4, 0, 4, 4, 0, 4, 0}},
}};

}  // namespace

std::string to_string(Strategy strategy) { return rows[std::size_t(strategy)].name; }

Strategy strategy_from_name(std::string_view name) {
  std::string known;
  for (const Row& row : rows) {
    if (row.name == name) return row.strategy;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw DomainError("'" + std::string(name) + "' is no precision strategy; there are " + known);
}

const std::array<Strategy, strategy_count>& all_strategies() {
  static constexpr auto all = [] {
    std::array<Strategy, strategy_count> result{};
    for (std::size_t i = 0; i < strategy_count; ++i) result[i] = rows[i].strategy;
    return result;
  }();
  return all;
}

Layout layout_of(Strategy strategy) { return rows[std::size_t(strategy)].layout; }

}  // namespace mct::optim
