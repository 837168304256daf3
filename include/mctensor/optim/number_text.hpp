// Numbers in messages.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace mct::optim {

/// "1e-08" where std::to_string would say "0.000000".
inline std::string number_text(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

}  // namespace mct::optim
