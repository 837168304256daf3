// Doubles in texts without std::from_chars.
#include "mctensor/base/number_in.hpp"

#include <locale.h>  // not <clocale>: newlocale
#include <stdlib.h>  // not <cstdlib>: strtod_l
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#include <cerrno>
#include <cmath>
#include <string>
#include <utility>

namespace mct::number_detail {

std::optional<double> by_strtod(std::string_view text) {
  // strtod accepts more than from_chars: blanks, a plus sign, hexadecimal digits
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  constexpr std::string_view beginnings = "0123456789.iInN";
  if (first >= text.size() || beginnings.find(text[first]) == std::string_view::npos) return {};
  if (first + 1 < text.size() && text[first] == '0' && (text[first + 1] | ' ') == 'x') return {};

  // (never freed: it lives as long as the program; a null locale only where memory is at an end)
  static const locale_t c_locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  if (c_locale == nullptr) return {};
  const std::string with_end(text);
  char* used = nullptr;
  const int errno_before = std::exchange(errno, 0);
  const double x = ::strtod_l(with_end.c_str(), &used, c_locale);
  // (subnormal results may say so too, and are right)
  const bool beyond = std::exchange(errno, errno_before) == ERANGE && (x == 0 || std::isinf(x));
  if (beyond || used != with_end.c_str() + with_end.size()) return {};
  return x;
}

}  // namespace mct::number_detail
