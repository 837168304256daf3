// The names that a node may have in a file.
#pragma once

#include <string>
#include <string_view>

namespace mct::embed {

/// The fault of a name in an edge list, and the name; "" if there is no fault. A name must be
/// UTF-8, not empty, without control characters (a tab or the end of a line among them), without
/// blanks at its ends and without a byte order mark in front, so that every list can be written and
/// read again.
std::string problem_of_name(std::string_view name);

}  // namespace mct::embed
