// What translated integer instructions compute, those that nvcc makes of C++.
#include "tests/cuda/ptx/run_instructions.hpp"

#include <algorithm>
#include <limits>

namespace mct::cuda {
namespace {

using Wide = long long;
__extension__ using Widest = __int128;
__extension__ using UnsignedWidest = unsigned __int128;

template <class T>
int ones(T x) {
  int r = 0;
  for (; x != 0; x &= x - 1) ++r;
  return r;
}
template <class T>
T reversed(T x) {
  T r = 0;
  for (std::size_t i = 0; i < 8 * sizeof x; ++i, x >>= 1) r = T(r << 1 | (x & 1));
  return r;
}
int dot(int a, int b, int c) {
  signed char x[4], y[4];
  std::memcpy(x, &a, 4);
  std::memcpy(y, &b, 4);
  auto r = unsigned(c);
  for (int i = 0; i < 4; ++i) r += unsigned(x[i] * y[i]);
  return int(r);
}

std::vector<Wide> integers(int a, int b, int c, int) {
  const auto ua = unsigned(a), ub = unsigned(b), uc = unsigned(c);
  using UnsignedWide = unsigned long long;
  const auto uwide = UnsignedWide(ua) << 32 | ub;
  const auto wide = Wide(uwide);
  const auto third = UnsignedWide(uwide * 3 + uc);
  const auto pair = UnsignedWide(ub) << 32 | ua;  // of the funnel
  const unsigned by = uc & 31;
  const unsigned clamped = std::min(uc & 63, 32U);
  std::vector<Wide> r = {int(ua + ub),
                         int(ua - ub),
                         Wide(a) * b,
                         Wide(UnsignedWide(ua) * ub),
                         int(Wide(a) * b >> 32),
                         Wide(UnsignedWide(ua) * ub >> 32),
                         Wide(UnsignedWide((UnsignedWidest(uwide) * third) >> 64)),
                         Wide((Widest(wide) * Wide(uwide - UnsignedWide(Wide(c)))) >> 64),
                         b == 0 ? 0 : int(Wide(a) / (b | 1)),
                         int(Wide(a) % (b | 1)),
                         ua / (ub | 1),
                         ua % 10,
                         Wide(Widest(wide) / (c | 1)),
                         Wide(uwide % (uc | 1)),
                         std::min(a, b),
                         std::max(a, b),
                         std::min(ua, ub),
                         std::max(ua, ub),
                         a < 0 ? int(0U - ua) : a,
                         int(ua << (b & 31)),
                         a >> (b & 31),
                         ua >> (b & 31),
                         wide >> (c & 63),
                         Wide(unsigned(pair << by >> 32)),
                         Wide(unsigned(pair >> by)),
                         Wide(clamped == 32 ? ua : unsigned(pair << clamped >> 32)),
                         Wide(unsigned(pair >> clamped)),
                         ones(ua),
                         ones(uwide),
                         zeros_above(ua),
                         zeros_above(uwide),
                         a == 0 ? 0 : 32 - zeros_above(ua & (0U - ua)),
                         reversed(ua),
                         Wide(reversed(uwide)),
                         bytes_by(ua, ub, uc & 0x7777),
                         Wide(unsigned(std::abs(Wide(a) - b)) + uc),
                         Wide(unsigned(std::abs(Wide(ua) - Wide(ub))) + uc),
                         (a & b) | (~a & c),
                         a ^ b ^ c,
                         (ua >> 5) & 0x7f,
                         (ua & 0xffff00ff) | (ub & 0xff) << 8,
                         dot(a, b, c),
                         static_cast<signed char>(ua),
                         short(ua),
                         ua & 0xff,
                         (ua + ub) & 0xffff,
                         a < b && b < c,
                         a < b || ub < uc,
                         (a < b) != (b < c),
                         a < b ? c : a};
  const Wide chosen[] = {11, a, 12, b, int(ua + 13), 14, int(ua * 3), c};
  r.push_back(chosen[uc % 8]);
  return r;
}

TEST(CudaPtx, Integers) {
  std::mt19937 random(1);
  auto in = triples<int>({{0, 0, 0},
                          {1, -1, 2},
                          {-1, -1, -1},
                          {std::numeric_limits<int>::min(), 3, 31},
                          {std::numeric_limits<int>::max(), 32, 33},
                          {64, 255, 40}});
  while (in.size() < 96) in.push_back(int(random()) >> (random() % 32));
  expect_results<OfIntegers>(in, Wide(), integers);
}

}  // namespace
}  // namespace mct::cuda
