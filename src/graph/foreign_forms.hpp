// Texts that are not edge lists, recognized by their beginning.
#pragma once

#include <string>
#include <string_view>

namespace mct::embed {

/// Whether an ontology in OBO may begin with this line.
bool begins_obo(std::string_view line);

/// Whether it is a line of NCBI's nodes.dmp: more than three fields, a bar between tabs after
/// each.
bool is_taxonomy_line(std::string_view line);

/// The format of a text that begins with this line, and the way to read it, for a message; "" if it
/// may be an edge list.
std::string foreign_form(std::string_view line);

}  // namespace mct::embed
