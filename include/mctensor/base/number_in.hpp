// Reads numbers from texts of any origin.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace mct {

namespace number_detail {

/// number_in<double> by strtod in the "C" locale, for C++ libraries without std::from_chars of
/// double (libc++ before 20).
std::optional<double> by_strtod(std::string_view text);

template <class T>
concept HasFromChars = requires(const char* text, T x) {
  {std::from_chars(text, text, x)};
};

/// The number that std::from_chars reads, if it reads the whole text.
template <class T, class... Format>
std::optional<T> by_from_chars(std::string_view text, Format... format) {
  T x{};
  const char* const end = text.data() + text.size();
  const auto [used, error] = std::from_chars(text.data(), end, x, format...);
  if (error != std::errc() || used != end) return std::nullopt;
  return x;
}

}  // namespace number_detail

/// The whole text as an integer in the given base. Returns nothing if T cannot hold the integer.
/// Also returns nothing if the text has anything else, such as a blank, a plus sign or a prefix
/// (the rules of std::from_chars).
template <std::integral T>
std::optional<T> number_in(std::string_view text, int base = 10) {
  return number_detail::by_from_chars<T>(text, base);
}

/// The whole text as a decimal number, rounded to the nearest double, in any locale: "1.5",
/// "-2e-3", "inf", "nan". Returns nothing if the text has anything else, such as a blank, a plus
/// sign or hexadecimal digits (the rules of std::from_chars). Also returns nothing if a finite
/// number other than zero would become an infinity or zero.
template <std::same_as<double> T>
std::optional<T> number_in(std::string_view text) {
  if constexpr (number_detail::HasFromChars<T>) {
    return number_detail::by_from_chars<T>(text);
  } else {
    return number_detail::by_strtod(text);
  }
}

}  // namespace mct
