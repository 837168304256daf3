// The usual names of columns of an edge list.
#pragma once

#include <string_view>

namespace mct::embed {

/// The meaning of two names of columns.
enum class ColumnNames { none, either_way, child_first, parent_first };

/// The meaning of two names, if both are usual names of columns (read_graph.hpp has the list).
ColumnNames column_names(std::string_view first, std::string_view second);

}  // namespace mct::embed
