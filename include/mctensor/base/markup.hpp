// Text for XML and HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mct {

/// `text` as character data or as a quoted attribute: & < > " ' become entities, control
/// characters (which neither HTML nor SVG may contain) and bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

/// The length in bytes of the UTF-8 character at the beginning of a text; 0 if there is no valid
/// one. Overlong encodings, surrogates and numbers above U+10FFFF are not valid (RFC 3629).
std::size_t utf8_length(std::string_view text);

}  // namespace mct
