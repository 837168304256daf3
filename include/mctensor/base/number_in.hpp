// Numbers in texts that others wrote.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace mct {

namespace number_detail {

/// number_in<double> where the C++ library has no std::from_chars for it (libc++ before 20): by
/// strtod in the "C" locale.
std::optional<double> by_strtod(std::string_view text);

template <class T>
concept HasFromChars = requires(const char* text, T x) {
  {std::from_chars(text, text, x)};
};

/// What std::from_chars reads of the text, if that is all of it.
template <class T, class... Format>
std::optional<T> by_from_chars(std::string_view text, Format... format) {
  T x{};
  const char* const end = text.data() + text.size();
  const auto [used, error] = std::from_chars(text.data(), end, x, format...);
  if (error != std::errc() || used != end) return std::nullopt;
  return x;
}

}  // namespace number_detail

/// The integer that the whole text is in the given base, or nothing: as std::from_chars, without
/// blanks, plus sign or prefix, and only if T has it.
template <std::integral T>
std::optional<T> number_in(std::string_view text, int base = 10) {
  return number_detail::by_from_chars<T>(text, base);
}

/// The double that is nearest to the decimal number that the whole text is, "1.5", "-2e-3", "inf"
/// or "nan", in any locale; or nothing, also where that would be an infinity or zero and the
/// number is not. As std::from_chars without blanks, plus sign or hexadecimal digits.
template <std::same_as<double> T>
std::optional<T> number_in(std::string_view text) {
  if constexpr (number_detail::HasFromChars<T>) {
    return number_detail::by_from_chars<T>(text);
  } else {
    return number_detail::by_strtod(text);
  }
}

}  // namespace mct
