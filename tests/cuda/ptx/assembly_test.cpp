// What translated integer instructions compute that stand in inline assembly.
#include "tests/cuda/ptx/run_instructions.hpp"

#include <algorithm>
#include <limits>

namespace mct::cuda {
namespace {

using Wide = long long;

/// The loops of the PTX ISA's definition.
template <class T>
T field_of(T x, int first, int count) {
  constexpr int top = int(8 * sizeof x) - 1;
  const auto bit = [&](int i) { return std::uint64_t(x) >> i & 1; };
  const bool sign = std::is_signed_v<T> && count != 0 && bit(std::min(first + count - 1, top)) != 0;
  std::uint64_t r = 0;
  for (int i = 0; i <= top; ++i)
    r |= (i < count && first + i <= top ? bit(first + i) : std::uint64_t(sign)) << i;
  return T(r);
}
template <class T>
T with_field(T field, T into, int first, int count) {
  std::uint64_t r = into;
  for (int i = 0; i < count && first + i < int(8 * sizeof r) && first + i < int(8 * sizeof into);
       ++i) {
    r &= ~(std::uint64_t(1) << (first + i));
    r |= (std::uint64_t(field) >> i & 1) << (first + i);
  }
  return T(r);
}
int highest(unsigned x) { return x == 0 ? -1 : 31 - zeros_above(x); }
Wide low24(Wide x, bool sign) { return sign ? Wide(int(unsigned(x) << 8)) >> 8 : x & 0xffffff; }

std::vector<Wide> assembly(int a, int b, int c, int) {
  using UnsignedWide = unsigned long long;
  const auto ua = unsigned(a), ub = unsigned(b), uc = unsigned(c);
  const int first = b & 63, count = c & 63;
  const auto wide = UnsignedWide(ua) << 32 | ub;
  const unsigned low = uc & 3;
  const unsigned b4e[] = {0x5670, 0x6701, 0x7012, 0x0123};
  const unsigned ecl[] = {0x3210, 0x3211, 0x3222, 0x3333};
  const unsigned ecr[] = {0x0000, 0x1110, 0x2210, 0x3210};
  int dot = c;  // of unsigned bytes with signed ones
  for (int i = 0; i < 4; ++i)
    dot = int(unsigned(dot) +
              unsigned(int(ua >> (8 * i) & 255) * static_cast<signed char>(ub >> (8 * i))));
  const bool p = (a < b) != !(a > c), q = !(a < b) != !(a > c);
  const auto sum0 = UnsignedWide(ua) + ub;
  const auto sum1 = UnsignedWide(ub) + uc + (sum0 >> 32);
  const auto difference0 = UnsignedWide(ua) - ub;
  const auto difference1 = UnsignedWide(ub) - uc - (difference0 >> 63);
  const auto product = UnsignedWide(ua) * ub;
  return {int(field_of(ua, first, count)),
          field_of(a, first, count),
          int(with_field(ua, ub, first, count)),
          int((ub & ua) | (~ub & uc)),
          int(bytes_by(ua, ub, 0x3210 + 0x1111 * low)),
          int(bytes_by(ua, ub, b4e[low])),
          int(bytes_by(ua, ub, 0x1111 * low)),
          int(bytes_by(ua, ub, ecl[low])),
          int(bytes_by(ua, ub, ecr[low])),
          int(bytes_by(ua, ub, low % 2 == 1 ? 0x3232 : 0x1010)),
          int(bytes_by(ua, ub, uc)),
          c >= 0 ? a : b,
          a < b ? -1 : 0,
          highest(a < 0 ? ~ua : ua),
          highest(ua),
          highest(a < 0 ? ~ua : ua) < 0 ? -1 : 31 - highest(a < 0 ? ~ua : ua),
          a == 0 ? 1 : 0,
          first > 31 ? 0 : int(ua << first),
          first > 31 ? (a < 0 ? -1 : 0) : a >> first,
          first > 31 ? 0 : int(ua >> first),
          int(low24(a, true) * low24(b, true)),
          int(low24(ua, false) * low24(ub, false)),
          int(unsigned(Wide(a) * b >> 32) + uc),
          dot,
          std::clamp(a, -128, 127),
          std::clamp(a, 0, 255),
          int(std::min(ua, 32767U)),
          (q ? 1 : 2) + (p ? 10 : 0),
          field_of(Wide(wide), first, count),
          Wide(field_of(wide, first, count)),
          Wide(with_field(wide, wide * 5, first, count)),
          Wide(UnsignedWide(Wide(a) * b) + wide),
          int(sum0),
          int(sum1),
          int(uc + ua + unsigned(sum1 >> 32)),
          int(difference0),
          int(difference1),
          int(uc - ua - unsigned(difference1 >> 63)),
          int(unsigned(product) + uc),
          int(unsigned(product >> 32) + uc + unsigned(unsigned(product) + uc < uc))};
}

TEST(CudaPtx, RareIntegers) {
  std::mt19937 random(4);
  auto in = triples<int>({{0, 0, 0},
                          {1, -1, 2},
                          {-1, -1, -1},
                          {std::numeric_limits<int>::min(), 3, 31},
                          {std::numeric_limits<int>::max(), 32, 33},
                          {64, 255, 40},
                          {127, 63, 63},
                          {-128, 31, 1},
                          {1, 2, 2}});
  while (in.size() < 96) in.push_back(int(random()) >> (random() % 32));
  expect_results<OfAssembly>(in, Wide(), assembly);
}

}  // namespace
}  // namespace mct::cuda
