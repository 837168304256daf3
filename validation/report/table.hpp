// The suite's results as a table for the terminal.
#pragma once

#include <cstdio>
#include <string>

#include "validation/results.hpp"

namespace mct::validation {

/// One row per operation and type (cases, largest and mean error in u^N, stated bound, verdict),
/// then the violations with the commands that repeat them, then one line of summary. With colour,
/// verdicts carry ANSI escape sequences.
std::string format_table(const Results& results, bool colour);

/// The same for the standard output: in colour if that is a terminal.
std::string format_table(const Results& results);

/// Whether colour belongs on `stream`: it is a terminal, not a dumb one, and NO_COLOR is not set.
bool wants_colour(std::FILE* stream);

}  // namespace mct::validation
