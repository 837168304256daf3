// The format specification of expansions, for both std::format and {fmt}.
#pragma once

#include <limits>
#include <locale>
#include <string>
#include <type_traits>
#include <utility>

#include "mctensor/expansion/io.hpp"

namespace mct::io_detail {

/// Puts a locale's decimal point and thousands separators into a decimal text.
std::string localize(std::string text, const std::locale& locale);

/// The value of an argument that is a width or a precision. Library::fail(what) throws.
template <class Library>
struct CountOf {
  template <class V>
  int operator()(V v) const {
    if constexpr (std::is_integral_v<V> && !std::is_same_v<V, bool> && !std::is_same_v<V, char>) {
      if constexpr (std::is_signed_v<V>) {
        if (v < 0) Library::fail("negative width or precision");
      }
      if (static_cast<unsigned long long>(v) > std::numeric_limits<int>::max())
        Library::fail("width or precision is too big");
      return static_cast<int>(v);
    } else {
      Library::fail("width or precision is not an integer");
    }
  }
};

/// A width or precision: a number, or the index of the argument that holds it.
struct FormatCount {
  int value = -1;
  bool is_argument = false;
};

/// The bytes of the UTF-8 character that begins with c.
constexpr int utf8_length(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// The formatter of expansions. A Library has
///   fail(what)                      throws its error
///   visit(context, index, visitor)  visits an argument
///   locale(context)                 the locale of {:L}
///
/// The specification is the same as for a floating-point number:
/// [[fill]align][sign][#][0][width][.precision][L][type], where type is one of a A e E f F g G.
/// Without type and precision the text is the shortest, as to_string writes it. Type a writes the
/// limbs as to_hex_string does, and allows neither 0 nor a precision nor L. Width and precision may
/// be {} or {index}.
template <class Library>
class FormatSpec {
 public:
  template <class ParseContext>
  constexpr auto parse(ParseContext& context) {
    auto at = context.begin();
    const auto end = context.end();
    at = parse_alignment(at, end);
    if (at != end && (*at == '+' || *at == '-' || *at == ' ')) {
      style_.plus = *at == '-' ? '\0' : *at;
      ++at;
    }
    if (at != end && *at == '#') {
      alternate_ = true;
      ++at;
    }
    if (at != end && *at == '0') {
      zero_pad_ = align_ == '\0';
      ++at;
    }
    at = parse_count(at, end, width_, context);
    if (at != end && *at == '.') {
      ++at;
      const auto begin = at;
      at = parse_count(at, end, precision_, context);
      if (at == begin) Library::fail("missing precision");
      has_precision_ = true;
    }
    if (at != end && *at == 'L') {
      is_localized_ = true;
      ++at;
    }
    at = parse_type(at, end);
    if (at != end && *at != '}') Library::fail("invalid format specifier of an expansion");
    return at;
  }

  template <class T, int N, class Context>
  auto format(const Expansion<T, N>& x, Context& context) const {
    NumberStyle style = style_;
    if (has_precision_) style.precision = count(precision_, context);
    style.point = style.trailing_zeros = alternate_;
    std::string text = format_number(x, style);
    if (is_localized_) text = localize(std::move(text), Library::locale(context));
    return pad(text, count(width_, context), context.out());
  }

 private:
  template <class Context>
  static int count(const FormatCount& of, Context& context) {
    if (!of.is_argument) return of.value;
    return Library::visit(context, of.value, CountOf<Library>());
  }

  static constexpr bool is_align(char c) { return c == '<' || c == '>' || c == '^'; }

  template <class It>
  constexpr It parse_alignment(It at, It end) {
    if (at == end || *at == '}') return at;
    const int length = utf8_length(*at);
    if (end - at > length && is_align(at[length])) {
      if (*at == '{') Library::fail("invalid fill character '{'");
      fill_size_ = length;
      for (int i = 0; i < length; ++i) fill_[i] = at[i];
      align_ = at[length];
      return at + length + 1;
    }
    if (is_align(*at)) align_ = *at++;
    return at;
  }

  template <class It>
  constexpr It parse_number(It at, It end, int& value) {
    value = 0;
    for (; at != end && *at >= '0' && *at <= '9'; ++at) {
      if (value > (std::numeric_limits<int>::max() - 9) / 10) Library::fail("number is too big");
      value = value * 10 + (*at - '0');
    }
    return at;
  }

  template <class It, class ParseContext>
  constexpr It parse_count(It at, It end, FormatCount& count, ParseContext& context) {
    if (at == end) return at;
    if (*at >= '0' && *at <= '9') return parse_number(at, end, count.value);
    if (*at != '{') return at;
    ++at;
    count.is_argument = true;
    const auto begin = at;
    at = parse_number(at, end, count.value);
    if (at == begin) {
      count.value = int(context.next_arg_id());
    } else {
      context.check_arg_id(decltype(context.next_arg_id())(count.value));
    }
    if (at == end || *at != '}') Library::fail("width and precision arguments are {} or {index}");
    return at + 1;
  }

  template <class It>
  constexpr It parse_type(It at, It end) {
    if (has_precision_) style_.notation = Notation::general;
    if (at == end || *at == '}') return at;
    switch (*at) {
      case 'A':
        style_.uppercase = true;
        [[fallthrough]];
      case 'a':
        style_.notation = Notation::hexadecimal;
        break;
      case 'E':
        style_.uppercase = true;
        [[fallthrough]];
      case 'e':
        style_.notation = Notation::scientific;
        break;
      case 'F':
        style_.uppercase = true;
        [[fallthrough]];
      case 'f':
        style_.notation = Notation::fixed;
        break;
      case 'G':
        style_.uppercase = true;
        [[fallthrough]];
      case 'g':
        style_.notation = Notation::general;
        break;
      default:
        Library::fail("invalid type of an expansion: use one of a A e E f F g G");
    }
    if (style_.notation == Notation::hexadecimal && (has_precision_ || zero_pad_ || is_localized_))
      Library::fail("type a takes neither a precision nor 0 nor L");
    return at + 1;
  }

  template <class Out>
  Out pad(const std::string& text, int width, Out out) const {
    const std::size_t missing =
        width > 0 && text.size() < std::size_t(width) ? std::size_t(width) - text.size() : 0;
    const std::size_t sign = text[0] == '-' || text[0] == '+' || text[0] == ' ' ? 1 : 0;
    const bool finite = text[sign] >= '0' && text[sign] <= '9';
    std::size_t before = align_ == '<' ? 0 : align_ == '^' ? missing / 2 : missing;
    if (zero_pad_ && finite) {
      for (std::size_t i = 0; i < sign; ++i) *out++ = text[i];
      for (std::size_t i = 0; i < missing; ++i) *out++ = '0';
      for (std::size_t i = sign; i < text.size(); ++i) *out++ = text[i];
      return out;
    }
    for (std::size_t i = 0; i < before; ++i) out = put_fill(out);
    for (const char c : text) *out++ = c;
    for (std::size_t i = before; i < missing; ++i) out = put_fill(out);
    return out;
  }

  template <class Out>
  Out put_fill(Out out) const {
    for (int i = 0; i < fill_size_; ++i) *out++ = fill_[i];
    return out;
  }

  NumberStyle style_;
  FormatCount width_;
  FormatCount precision_;
  char fill_[4] = {' '};
  int fill_size_ = 1;
  char align_ = '\0';
  bool zero_pad_ = false;
  bool alternate_ = false;
  bool is_localized_ = false;
  bool has_precision_ = false;
};

}  // namespace mct::io_detail
