// Texts that are no edge lists, known by how they begin.
#pragma once

#include <string>
#include <string_view>

namespace mct::embed {

/// Whether an ontology in OBO may begin with this line.
bool begins_obo(std::string_view line);

/// Whether it is a line of NCBI's nodes.dmp: more than three fields, a bar between tabs behind
/// each.
bool is_taxonomy_line(std::string_view line);

/// What a text is that begins with this line, and how it is read, for a message; "" if it may be an
/// edge list.
std::string foreign_form(std::string_view line);

}  // namespace mct::embed
