// Errors, verdicts and command lines as the table and the report print them.
#pragma once

#include <string>

#include "validation/results.hpp"

namespace mct::validation {

/// An error in u^N: three decimals, or exponent notation when that would hide the value.
std::string error_text(double error);

/// The verdict on one operation: "PASS", "FAIL", or "NONE" if no case was checked.
const char* verdict_text(const OperationResult& operation);

/// One argument of a POSIX shell command, in single quotes where it needs them.
std::string shell_quoted(const std::string& argument);

/// The command that repeats one case.
std::string replay_command(const std::string& replay);

/// The command that repeats the whole run.
std::string repeat_command(const Results& results);

}  // namespace mct::validation
