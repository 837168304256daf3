// Text for XML and HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mct {

/// `text` as character data or as a quoted attribute. The characters & < > " ' become entities.
/// Control characters except tab and newline, U+FFFE, U+FFFF and bytes that are not UTF-8 become
/// U+FFFD.
std::string escaped(std::string_view text);

/// A page of HTML that loads nothing from elsewhere, whatever its texts contain. If body and script
/// are well-formed XML, so is the page. The function escapes the title only.
std::string html_page(std::string_view title, std::string_view style, std::string_view body,
                      std::string_view script);

/// The width of a text in pixels, in Helvetica, Arial or Liberation Sans, which have the same
/// widths. In other sans-serif fonts widths differ by up to some 10 %. Each character beyond ASCII
/// counts as an average letter, each character of East Asia (U+3000 and beyond) as a square.
double text_width(std::string_view text, double size);

/// The length in bytes of the UTF-8 character at the beginning of a text; 0 if there is no valid
/// character. Overlong encodings, surrogates and numbers above U+10FFFF are not valid (RFC 3629).
std::size_t utf8_length(std::string_view text);

}  // namespace mct
