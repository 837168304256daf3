#include "validation/report/result_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace mct::validation {

std::string error_text(double error) {
  if (std::isnan(error)) return "NaN";
  if (std::isinf(error)) return error > 0 ? "inf" : "-inf";
  if (error == 0) return "0";
  const double magnitude = std::fabs(error);
  if (magnitude < 0.01 || magnitude >= 1e5) return fmt::format("{:.2e}", error);
  return fmt::format("{:.3f}", error);
}

const char* verdict_text(const OperationResult& operation) {
  if (!operation.passed()) return "FAIL";
  return operation.errors.cases == 0 ? "NONE" : "PASS";
}

std::string shell_quoted(const std::string& argument) {
  constexpr const char* safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!argument.empty() && argument.find_first_not_of(safe) == std::string::npos) return argument;
  std::string quoted = "'";
  for (const char c : argument) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + '\'';
}

std::string replay_command(const std::string& replay) {
  return "mct validate --replay " + shell_quoted(replay);
}

std::string repeat_command(const Results& results) {
  std::string command =
      fmt::format("mct validate --seed {} --cases {}", results.seed, results.requested_cases);
  if (results.peers.empty()) command += " --no-peers";
  if (!results.peers.empty() && results.peers.front().errors.cases <= quick_peer_cases)
    command += " --quick";
  if (!results.filter.empty()) command += " --filter " + shell_quoted(results.filter);
  return command;
}

}  // namespace mct::validation
