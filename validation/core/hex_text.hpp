// Operands as hexadecimal floats, for replay lines.
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "mctensor/error.hpp"
#include "mctensor/expansion/expansion.hpp"

namespace mct::validation {

/// "0x1.8p+0,-0x1p-54": the limbs, exactly.
template <class T, int N>
std::string limbs_to_hex(const Expansion<T, N>& x) {
  std::string text;
  for (int i = 0; i < N; ++i) text += fmt::format("{}{:a}", i == 0 ? "" : ",", double(x.limb[i]));
  return text;
}

/// The inverse. Fewer than N limbs are followed by zeros. Throws DomainError naming the text.
template <class T, int N>
Expansion<T, N> limbs_from_hex(const std::string& text) {
  Expansion<T, N> x;
  const char* at = text.c_str();
  for (int i = 0;; ++i) {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    if (end == at || i == N || double(T(value)) != value)
      if (!(end != at && i < N && value != value))
        throw DomainError(fmt::format("replay: '{}' is not {} comma-separated hexadecimal floats "
                                      "(limb {})",
                                      text, N, i + 1));
    x.limb[i] = T(value);
    if (*end == '\0') return x;
    if (*end != ',')
      throw DomainError(fmt::format("replay: unexpected '{}' in '{}'", *end, text));
    at = end + 1;
  }
}

}  // namespace mct::validation
