#include "mctensor/optim/strategy.hpp"

#include "mctensor/error.hpp"

namespace mct::optim {

std::string to_string(Strategy strategy) { return strategy_table[std::size_t(strategy)].name; }

std::string successor_of(std::string_view name) {
  if (name == "kahan") return "; light, which is the same algorithm in registers, takes its place";
  if (name == "fp8-states")
    return "; split8, which follows exact arithmetic more closely in fewer bytes, takes its place";
  return {};
}

Strategy strategy_from_name(std::string_view name) {
  std::string known;
  for (const NamedComposition& row : strategy_table) {
    if (row.name == name) return row.strategy;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  const std::string successor = successor_of(name);
  throw DomainError("'" + std::string(name) + "' is not a precision strategy" +
                    (successor.empty() ? "; there are " + known : " any more" + successor));
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
