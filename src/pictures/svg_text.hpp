// SVG as text: numbers and parts.
#pragma once

#include <string>
#include <string_view>

namespace mct::embed {

inline constexpr double text_slack = 1.05;  ///< other fonts are wider than Helvetica

/// With one decimal, none if it is 0.
void append(std::string& out, double value);
inline void append(std::string& out, std::string_view text) { out += text; }

template <class... Parts>
void add(std::string& out, const Parts&... parts) {
  (append(out, parts), ...);
}

}  // namespace mct::embed
