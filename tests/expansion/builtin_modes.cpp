// What may become an expansion, and how, is the same whatever <type_traits> knows: compiled by
// builtin_modes.cmake with and without the compiler's extensions.
#include <type_traits>

#include "mctensor/expansion/arithmetic.hpp"

using mct::f32x2;
using mct::f32x3;
using mct::f64x1;
using mct::f64x2;
using mct::f64x3;

template <class X, class Y>
concept CanAdd = requires(X x, Y y) {
  x + y;
};

static_assert(f64x2(true).limb[0] == 1 && f64x2('a').limb[0] == 97);
static_assert(static_cast<long double>(f64x3(0.1L)) == 0.1L);
#if __LDBL_MANT_DIG__ == 64
static_assert(std::is_convertible_v<long double, f64x2> &&
              std::is_convertible_v<long double, f32x3>);
static_assert(!std::is_convertible_v<long double, f64x1> && CanAdd<f64x2, long double>);
static_assert(!std::is_convertible_v<long double, f32x2> && !CanAdd<f32x2, long double>);
static_assert(static_cast<long double>(f64x2(0.1L)) == 0.1L);
#endif

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Quad;
static_assert(std::is_convertible_v<Quad, f64x3> && CanAdd<f64x3, Quad>);
static_assert(!std::is_convertible_v<Quad, f64x2> && !CanAdd<f64x2, Quad>);
static_assert(f64x2(Quad(1) / 3).limb[1] == 0x1.5555555555555p-56);
static_assert(static_cast<Quad>(f64x3(Quad(1) / 3)) == Quad(1) / 3);
#endif

#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 Long;
static_assert(std::is_convertible_v<Long, f64x3> && CanAdd<f64x3, Long>);
static_assert(!std::is_convertible_v<Long, f64x2> && !CanAdd<f64x2, Long>);
static_assert(f64x2((Long(1) << 100) + 1).limb[1] == 1);
#endif

// half and bfloat16 themselves are made of numbers of at most 64 bits
static_assert(std::is_constructible_v<mct::half, double>);
static_assert(!std::is_constructible_v<mct::half, long double>);
