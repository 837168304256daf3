// Numbers and command lines as the table and the report print them.
#pragma once

#include <cstdint>
#include <string>

#include "validation/results.hpp"

namespace mct::validation {

/// 24,000,000
std::string count_text(std::uint64_t count);

/// An error in u^N: three decimals, or exponent notation when that would hide the value.
std::string error_text(double error);

/// The verdict on one operation: "PASS", "FAIL", or "NONE" if no case was checked.
const char* verdict_text(const OperationResult& operation);

/// "12.3 s", "2 min 5 s"
std::string seconds_text(double seconds);

/// One argument of a POSIX shell command, in single quotes where it needs them.
std::string shell_quoted(const std::string& argument);

/// The command that repeats one case.
std::string replay_command(const std::string& replay);

/// The command that repeats the whole run.
std::string repeat_command(const Results& results);

}  // namespace mct::validation
