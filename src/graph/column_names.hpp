// What columns of an edge list are usually called.
#pragma once

#include <string_view>

namespace mct::embed {

/// What two names of columns say.
enum class ColumnNames { none, either_way, child_first, parent_first };

/// Whether both are usual names of columns (read_graph.hpp has the list), and what they say.
ColumnNames column_names(std::string_view first, std::string_view second);

}  // namespace mct::embed
