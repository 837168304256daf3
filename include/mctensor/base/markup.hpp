// Text for XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace mct {

/// `text` as character data or as a quoted attribute: & < > " ' become entities, control
/// characters (which neither HTML nor SVG may contain) and bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

}  // namespace mct
