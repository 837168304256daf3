// Manifolds of several components where intermediate numbers are so small that their lower limbs
// would not be there.
#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/expansion/all.hpp"
#include "mctensor/geometry/all.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

/// |a - b| / |b| in units of 2^-(53 N).
template <int N>
double units(const Expansion<double, N>& a, const Expansion<double, N>& b) {
  const Expansion<double, N> difference = abs(Expansion<double, N>(a - b));
  return std::ldexp(double(difference / abs(b)), 53 * N);
}

/// Straight up from the height h by u = h sinh s: the new height is h (sinh s + cosh s) = 2 u.
template <int N>
void retract_far_upward() {
  using W = Expansion<double, N>;
  const HalfSpace<W> space{W(1.25)};
  for (const double height : {1e-206, 3e-181, 1e-145})
    for (const double sinh : {1e124, 1e200, 1e280, 1e299}) {
      const W h(height);
      const W u = W(height * sinh) / 3 * W(7);
      Point<W, 2> x, v;
      x[0] = W(1);
      x[1] = h;
      v[0] = W(0);
      v[1] = u;
      const Point<W, 2> z = space.retr(x, v);
      EXPECT_EQ(z[0], W(1));
      EXPECT_LE(units<N>(z[1], W(u + u)), 456) << N << ' ' << height << ' ' << sinh;
    }
}
TEST(LostLimbs, RetractionFarUpwardKeepsItsLimbs) {
  retract_far_upward<2>();
  retract_far_upward<3>();
  retract_far_upward<4>();
}

/// On a hemisphere of 2^149, next to its top, the logarithm of points so near is their difference.
template <int N>
void logarithm_of_tiny_differences() {
  using W = Expansion<double, N>;
  const Hemisphere<W> space{W(0x1p149)};
  for (const double small : {1e-206, 1e-209}) {
    Point<W, 4> x, y;
    for (int i = 0; i < 3; ++i) {
      x[i] = W(1.5e-177 * (i - 1.25)) / 7;
      y[i] = W(x[i] + W(small * (i + 1)) / 3);
    }
    x[3] = y[3] = W(0x1p149);
    const Point<W, 4> v = space.logmap(x, y);
    for (int i = 0; i < 3; ++i)
      EXPECT_LE(units<N>(v[i], W(y[i] - x[i])), 240) << N << ' ' << small << ' ' << i;
  }
}
TEST(LostLimbs, LogarithmsOfTinyDifferencesKeepTheirLimbs) {
  logarithm_of_tiny_differences<2>();
  logarithm_of_tiny_differences<3>();
}

}  // namespace
}  // namespace mct::geometry_test
