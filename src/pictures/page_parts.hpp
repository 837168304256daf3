// The parts of the page in which the disk moves.
#pragma once

#include <string_view>

namespace mct::embed {

std::string_view page_style();
/// Everything between the style and the data.
std::string_view page_body();

// The script, in this order: reading the data and moving the points, drawing them, and what the
// user does.
std::string_view page_geometry_script();
std::string_view page_drawing_script();
std::string_view page_controls_script();

}  // namespace mct::embed
