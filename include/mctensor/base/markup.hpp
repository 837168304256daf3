// Text for XML and HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mct {

/// `text` as character data or as a quoted attribute: & < > " ' become entities, control
/// characters (which neither HTML nor SVG may contain) and bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

/// The length of the character of UTF-8 that a text begins with; 0 if it is none. Refused are
/// encodings that are longer than needed, surrogates and what is above U+10FFFF (RFC 3629).
std::size_t utf8_length(std::string_view text);

}  // namespace mct
