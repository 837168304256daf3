// Stream insertion and extraction of expansions.
#include <climits>
#include <cmath>
#include <exception>
#include <istream>
#include <locale>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "instantiate.hpp"
#include "mctensor/expansion/format_spec.hpp"

namespace mct {
namespace io_detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

NumberStyle stream_style(const std::ios_base& stream) {
  using Ios = std::ios_base;
  const auto flags = stream.flags();
  NumberStyle style;
  const auto notation = flags & Ios::floatfield;
  style.notation = notation == Ios::fixed        ? Notation::fixed
                   : notation == Ios::scientific ? Notation::scientific
                   : notation == Ios::fmtflags() ? Notation::general
                                                 : Notation::hexadecimal;
  const std::streamsize precision = stream.precision();
  style.precision = precision < 0 ? 6 : precision > INT_MAX ? INT_MAX : int(precision);
  style.point = style.trailing_zeros = (flags & Ios::showpoint) != 0;
  style.uppercase = (flags & Ios::uppercase) != 0;
  style.plus = (flags & Ios::showpos) != 0 ? '+' : '\0';
  return style;
}

/// Fills between the sign (or 0x) and the digits, as std::internal asks for.
void pad_internally(std::string& text, std::streamsize width, char fill) {
  if (width <= std::streamsize(text.size())) return;
  std::size_t at = text[0] == '-' || text[0] == '+' ? 1 : 0;
  if (at == 0 && text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) at = 2;
  text.insert(at, std::size_t(width) - text.size(), fill);
}

/// True if digits in these groups, from the left, are grouped as a locale asks for: the last ones
/// exactly, the first with at most so many.
bool is_grouped(const std::vector<std::size_t>& groups, const std::string& grouping) {
  std::size_t rule = 0;
  for (std::size_t i = groups.size(); i-- > 0;) {
    const int size = grouping[rule];  // NOLINT(bugprone-signed-char-misuse)
    const bool unlimited = size <= 0 || size == CHAR_MAX;
    if (i == 0) return groups[i] > 0 && (unlimited || groups[i] <= std::size_t(size));
    if (unlimited || groups[i] != std::size_t(size)) return false;
    if (rule + 1 < grouping.size()) ++rule;
  }
  return true;
}

/// Takes the longest beginning of a number from a stream, and puts a plain point for the decimal
/// point of the stream's locale and nothing for its thousands separators.
class NumberReader {
 public:
  explicit NumberReader(std::istream& in)
      : in_(in), locale_(in.getloc()), punctuation_(std::use_facet<std::numpunct<char>>(locale_)) {}

  bool at_end() const { return at_end_; }

  /// The text for from_string; empty if thousands separators stand at wrong places.
  std::string read(int limbs) {
    bool hexadecimal = read_one();
    for (; hexadecimal && limbs > 1 && take_one_of(","); --limbs) hexadecimal = read_one();
    return misgrouped_ ? std::string() : text_;
  }

 private:
  using Traits = std::istream::traits_type;

  /// True if it was a hexadecimal number.
  bool read_one() {
    take_one_of("+-");
    if (take_one_of("in")) {
      for (int i = 0; i < 7 && take_one_of("infinityan"); ++i) continue;
      return false;
    }
    const bool zero = take_one_of("0");
    const bool hexadecimal = zero && take_one_of("x");
    if (hexadecimal) {
      constexpr const char* digits = "0123456789abcdef";
      take_run(digits);
      if (take_one_of(".")) take_run(digits);
    } else {
      read_whole_part(zero ? 1 : 0);
      if (take(punctuation_.decimal_point())) {
        text_ += '.';
        take_run(decimal_digits);
      }
    }
    if (take_one_of(hexadecimal ? "p" : "e")) {
      take_one_of("+-");
      take_run(decimal_digits);
    }
    return hexadecimal;
  }

  /// The digits before the point, of which so many are taken already.
  void read_whole_part(std::size_t taken) {
    const std::string grouping = punctuation_.grouping();
    std::vector<std::size_t> groups = {taken + take_run(decimal_digits)};
    if (grouping.empty()) return;
    while (take(punctuation_.thousands_sep())) groups.push_back(take_run(decimal_digits));
    if (groups.size() > 1 && !is_grouped(groups, grouping)) misgrouped_ = true;
  }

  /// Takes characters of a set as long as there are any; how many.
  std::size_t take_run(const char* set) {
    std::size_t count = 0;
    while (take_one_of(set)) ++count;
    return count;
  }

  /// Takes a character of a set of small letters and others, in either case, and keeps it.
  bool take_one_of(const char* set) {
    const int next = peek();
    if (next < 0) return false;
    const char c = Traits::to_char_type(next);
    const char lower = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    for (; *set != '\0'; ++set) {
      if (*set != lower) continue;
      text_ += c;
      in_.rdbuf()->sbumpc();
      return true;
    }
    return false;
  }

  /// Takes this very character, which is not kept.
  bool take(char c) {
    if (peek() < 0 || Traits::to_char_type(peek()) != c) return false;
    in_.rdbuf()->sbumpc();
    return true;
  }

  /// The next character, negative at the end.
  Traits::int_type peek() {
    const auto next = in_.rdbuf()->sgetc();
    if (!Traits::eq_int_type(next, Traits::eof())) return next;
    at_end_ = true;
    return -1;
  }

  static constexpr const char* decimal_digits = "0123456789";

  std::istream& in_;
  std::locale locale_;
  const std::numpunct<char>& punctuation_;
  std::string text_;
  bool at_end_ = false;
  bool misgrouped_ = false;
};

}  // namespace

std::string localize(std::string text, const std::locale& locale) {
  const auto& punctuation = std::use_facet<std::numpunct<char>>(locale);
  const std::size_t begin = is_digit(text[0]) ? 0 : 1;
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == begin) return text;  // inf, nan
  if (end < text.size() && text[end] == '.') text[end] = punctuation.decimal_point();
  const std::string grouping = punctuation.grouping();
  std::size_t group = 0;
  std::size_t position = end;
  while (group < grouping.size()) {
    // negative has a meaning here: no further grouping
    const int size = grouping[group];  // NOLINT(bugprone-signed-char-misuse)
    if (size <= 0 || size == CHAR_MAX || position - begin <= std::size_t(size)) break;
    position -= std::size_t(size);
    text.insert(position, 1, punctuation.thousands_sep());
    if (group + 1 < grouping.size()) ++group;
  }
  return text;
}

}  // namespace io_detail

template <class T, int N>
std::ostream& operator<<(std::ostream& out, const Expansion<T, N>& x) {
  if (const double lead(x.limb[0]); !std::isfinite(lead)) return out << lead;
  const io_detail::NumberStyle style = io_detail::stream_style(out);
  std::string text = io_detail::format_number(x, style);
  // a comma for a point could not be told from the comma between two limbs
  if (style.notation != io_detail::Notation::hexadecimal)
    text = io_detail::localize(std::move(text), out.getloc());
  if ((out.flags() & std::ios_base::adjustfield) == std::ios_base::internal)
    io_detail::pad_internally(text, out.width(), out.fill());
  return out << text;
}

template <class T, int N>
std::istream& operator>>(std::istream& in, Expansion<T, N>& x) {
  const std::istream::sentry ready(in);
  if (!ready) return in;
  io_detail::NumberReader reader(in);
  std::ios_base::iostate state = std::ios_base::goodbit;
  try {
    const std::string text = reader.read(N);
    if (reader.at_end()) state |= std::ios_base::eofbit;
    x = from_string<Expansion<T, N>>(text);
  } catch (const DomainError&) {
    x = Expansion<T, N>();
    state |= std::ios_base::failbit;
  } catch (const std::exception&) {
    state |= std::ios_base::badbit;  // the stream buffer failed
  }
  in.setstate(state);
  return in;
}

#define MCT_INSTANTIATE(T, N)                                               \
  template std::ostream& operator<<(std::ostream&, const Expansion<T, N>&); \
  template std::istream& operator>>(std::istream&, Expansion<T, N>&);
MCT_FOR_EACH_EXPANSION(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct
