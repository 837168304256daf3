// from_string and the literals: texts rounded to limbs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "instantiate.hpp"
#include "mctensor/base/environment.hpp"
#include "mctensor/expansion/io.hpp"
#include "parse.hpp"

namespace mct {
namespace io_detail {
namespace {

template <class T>
constexpr Range range_of{FloatTraits<T>::emin - 1, FloatTraits<T>::emax};

template <class T>
constexpr const char* component_name = std::is_same_v<T, double>  ? "double"
                                       : std::is_same_v<T, float> ? "float"
                                       : std::is_same_v<T, half>  ? "half"
                                                                  : "bfloat16";

template <class T>
T special_value(const Number& number) {
  const T magnitude = number.kind == Number::Kind::nan ? std::numeric_limits<T>::quiet_NaN()
                                                       : std::numeric_limits<T>::infinity();
  return copysign(magnitude, number.negative ? T(-1) : T(1));
}

template <class T>
void round_to_limbs(const Number& number, T* limbs, int count) {
  if (number.kind != Number::Kind::finite) {
    std::fill(limbs, limbs + count, T(0));
    limbs[0] = special_value<T>(number);
    return;
  }
  nearest_limbs(number.magnitude, limbs, count);
  if (number.negative) {
    limbs[0] = -limbs[0];
    for (int i = 1; i < count; ++i) limbs[i] = T(0) - limbs[i];  // 0 keeps its sign
  }
}

/// One limb of the comma-separated form, exactly.
template <class T>
T exact_limb(const NumberParser& parser, std::size_t begin, const Number& number) {
  if (number.kind != Number::Kind::finite) return special_value<T>(number);
  if (!number.hexadecimal) parser.fail(begin, "a limb that is not hexadecimal");
  const T limb = nearest<T>(number.magnitude);
  Exact rest = number.magnitude;
  if (isfinite(limb)) add_to(rest, -limb);
  if (!rest.mantissa.is_zero())
    parser.fail(begin, std::string("a limb that is not a ") + component_name<T>);
  return number.negative ? -limb : limb;
}

}  // namespace

template <class X>
X from_literal(const char* token) {
  const ExactEnvironment exact;
  std::string text;
  for (; *token != '\0'; ++token)
    if (*token != '\'') text += *token;
  const bool binary = text.starts_with("0b") || text.starts_with("0B");
  const bool octal =
      text.size() > 1 && text[0] == '0' && text.find_first_not_of("01234567") == std::string::npos;
  if (!binary && !octal) return from_string<X>(text);

  using T = typename X::value_component;
  NumberParser parser(std::string_view(text).substr(binary ? 2 : 1), range_of<T>);
  X x;
  round_to_limbs(parser.read_integer(binary ? 1 : 3), x.limb, X::components);
  return x;
}

}  // namespace io_detail

template <class X>
requires is_expansion_v<X> X from_string(std::string_view text) {
  const ExactEnvironment exact;
  using T = typename X::value_component;
  X x;
  io_detail::NumberParser parser(text, io_detail::range_of<T>);
  io_detail::Number number = parser.read_number();
  const bool is_limb = number.hexadecimal || number.kind != io_detail::Number::Kind::finite;
  if (parser.at_end()) {
    io_detail::round_to_limbs(number, x.limb, X::components);
    return x;
  }
  if (!is_limb) parser.fail_unexpected(parser.position());

  x.limb[0] = io_detail::exact_limb<T>(parser, 0, number);
  for (int i = 1; !parser.at_end(); ++i) {
    const std::size_t comma = parser.position();
    if (!parser.take(',')) parser.fail_unexpected(comma);
    if (i == X::components)
      parser.fail(comma, "more than " + std::to_string(i) + (i == 1 ? " limb" : " limbs"));
    number = parser.read_number();
    x.limb[i] = io_detail::exact_limb<T>(parser, comma + 1, number);
  }
  return x;
}

template <class T, int N>
Expansion<T, N>::Expansion(const char* text) : Expansion(from_string<Expansion>(text)) {}
template <class T, int N>
Expansion<T, N>::Expansion(const char* text, std::size_t length)
    : Expansion(from_string<Expansion>({text, length})) {}

#define MCT_INSTANTIATE(T, N)                                                     \
  template Expansion<T, N> io_detail::from_literal<Expansion<T, N>>(const char*); \
  template Expansion<T, N> from_string<Expansion<T, N>>(std::string_view);        \
  template Expansion<T, N>::Expansion(const char*);                               \
  template Expansion<T, N>::Expansion(const char*, std::size_t);
MCT_FOR_EACH_EXPANSION(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct
