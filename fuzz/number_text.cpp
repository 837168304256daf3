// Texts of numbers: from_string, to_string and streams.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "fuzz/target.hpp"
#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/io.hpp"
#include "mctensor/expansion/limits.hpp"

namespace mct::fuzz {
namespace {

template <class T>
bool same_limb(T a, T b) {
  using std::isnan;
  using std::signbit;
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) && signbit(a) == signbit(b);
  return a == b && signbit(a) == signbit(b);
}

template <class T, int N>
bool same_limbs(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return std::equal(x.limb, x.limb + N, y.limb, same_limb<T>);
}

/// The same real number, zeros and NaNs by their sign: limbs differ where one lies half way between
/// two values of the limb before it.
template <class T, int N>
bool same_number(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return same_limbs(x, y) || (x == y && signbit(x) == signbit(y));
}

/// What `>>` reads of the text; false if that is not all of it.
template <class X>
bool read_stream(std::string_view text, X& x) {
  std::istringstream in{std::string(text)};
  in >> x;
  return !in.fail() && in.peek() == std::istringstream::traits_type::eof();
}

template <class X>
void check(std::string_view text) {
  X x;
  try {
    x = from_string<X>(text);
  } catch (const DomainError&) {
    return;
  }
  const bool limbs_given = text.find(',') != std::string_view::npos;
  const std::string shortest = to_string(x);
  const auto back = from_string<X>(shortest);
  require(to_string(back) == shortest, "the shortest text of a number is that of the same number");
  // limbs that are given one by one need not be those of their sum
  require(limbs_given || same_number(x, back), "to_string gives back the number");
  require(same_limbs(x, from_string<X>(to_hex_string(x))), "to_hex_string gives back the limbs");
  (void)from_string<X>(to_string(x, 1 + int(text.size() % 40)));
  X streamed;
  const bool whole = read_stream(text, streamed);
  require(whole || limbs_given, "a stream reads every text of a number");
  require(!whole || same_limbs(x, streamed), "a stream reads what from_string reads");
}

}  // namespace

void write_seeds(const std::filesystem::path& directory) {
  const SeedWriter write{directory};
  const auto third = from_string<f64x4>("0.3333333333333333333333333333333333333333333333333");
  write("third", to_string(third));
  write("third_hex", to_hex_string(third));
  write("gap", to_string(from_string<f64x2>("0x1p0,0x1p-300")));
  write("small", to_string(from_string<Expansion<float, 3>>("-1.17549435e-38")));
  write("subnormal", to_string(from_string<Expansion<half, 1>>("6e-8")));
  write("overflow", "1e400");
  write("infinite", to_string(from_string<f64x2>("-inf")));
  write("nan", to_string(from_string<f64x2>("nan")));
  write("limbs", "0x1.8p+1,-0x1p-60");
  write("cut_off", "12.5e");
}

}  // namespace mct::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mct;  // NOLINT(google-build-using-namespace)
  const auto text = fuzz::as_text(data, size);
  fuzz::check<Expansion<double, 2>>(text);
  fuzz::check<Expansion<double, 4>>(text);
  fuzz::check<Expansion<float, 1>>(text);
  fuzz::check<Expansion<float, 3>>(text);
  fuzz::check<Expansion<half, 3>>(text);
  fuzz::check<Expansion<bfloat16, 2>>(text);
  return 0;
}
