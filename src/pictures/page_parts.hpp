// The parts of the page in which the disk moves: files beside this one.
#pragma once

#include <string_view>

namespace mct::embed {

extern const std::string_view page_css;
extern const std::string_view page_html;  ///< the elements, before the data
// The script, in this order.
extern const std::string_view page_geometry_js;
extern const std::string_view page_view_js;
extern const std::string_view page_drawing_js;
extern const std::string_view page_controls_js;

}  // namespace mct::embed
