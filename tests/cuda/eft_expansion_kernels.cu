// Calls every public function of the layers eft and expansion that a kernel may call. Only
// compiled: it fails where a function lacks MCT_HD or uses what device code does not have.
#include "mctensor/eft/all.hpp"
#include "mctensor/expansion/arithmetic.hpp"

namespace device_test {

/// Takes results in, so that no call is removed as unused.
template <class T>
struct Sink {
  T* out;
  __device__ void operator()(T value) { *out++ = value; }
  __device__ void operator()(bool value) { *out++ = T(value); }
  __device__ void operator()(int value) { *out++ = T(value); }
  __device__ void operator()(const mct::HiLo<T>& value) {
    *out++ = value.hi;
    *out++ = value.lo;
  }
  template <int N>
  __device__ void operator()(const mct::Expansion<T, N>& value) {
    for (int i = 0; i < N; ++i) *out++ = value.limb[i];
  }
};

template <class T>
__device__ void call_transforms(T a, T b, Sink<T> sink) {
  sink(mct::two_sum(a, b));
  sink(mct::fast_two_sum(a, b));
  sink(mct::two_diff(a, b));
  sink(mct::split(a));
  sink(mct::two_prod(a, b));
  sink(mct::two_prod_dekker(a, b));
  sink(mct::two_square(a));
  sink(mct::ulp(a));
}

template <class T, int N>
__device__ void call_operators(const mct::Expansion<T, N>& x, const mct::Expansion<T, N>& y, T a,
                               Sink<T> sink) {
  using X = mct::Expansion<T, N>;
  sink(x + y), sink(x + a), sink(a + x), sink(x + 1), sink(1LL + x);
  sink(x - y), sink(x - a), sink(a - x), sink(x - 1), sink(1LL - x);
  sink(x * y), sink(x * a), sink(a * x), sink(x * 2), sink(2LL * x);
  sink(x / y), sink(x / a), sink(a / x), sink(x / 3), sink(3LL / x);
  sink(+x), sink(-x);
  X z = x;
  z += y, z -= a, z *= 3, z /= y;
  ++z, z++, --z, z--;
  sink(z);
  sink(x == y), sink(x != y), sink(x < y), sink(x > y), sink(x <= y), sink(x >= y);
  sink(x == a), sink(x != a), sink(x < a), sink(x > a), sink(x <= a), sink(x >= a);
  sink(1 == x), sink(1 != x), sink(1 < x), sink(1 > x), sink(1 <= x), sink(1 >= x);
  sink((x <=> y) < 0);
}

template <class T, int N>
__device__ void call_functions(const mct::Expansion<T, N>& x, const mct::Expansion<T, N>& y, T a,
                               Sink<T> sink) {
  using X = mct::Expansion<T, N>;
  sink(mct::add(x, y)), sink(mct::add(x, a)), sink(mct::add(a, x));
  sink(mct::sub(x, y)), sink(mct::sub(x, a)), sink(mct::sub(a, x));
  sink(mct::mul(x, y)), sink(mct::mul(x, a)), sink(mct::mul(a, x));
  sink(mct::div(x, y)), sink(mct::div(x, a)), sink(mct::div(a, x));
  sink(mct::square(x)), sink(mct::sqrt(x)), sink(mct::rsqrt(x));
  sink(mct::mul_add(x, y, x)), sink(mct::mul_add(x, a, y));
  sink(mct::abs(x)), sink(mct::min(x, y)), sink(mct::max(x, y));
  sink(mct::isnan(x)), sink(mct::isinf(x)), sink(mct::isfinite(x)), sink(mct::signbit(x));
  sink(mct::floor(x)), sink(mct::ceil(x)), sink(mct::trunc(x)), sink(mct::round(x));
  int exponent = 0;
  sink(mct::ldexp(x, 3)), sink(mct::frexp(x, &exponent)), sink(exponent);
  sink(mct::fmod(x, y)), sink(mct::remainder(x, y)), sink(mct::remquo(x, y, &exponent));
  sink(mct::ilogb(x)), sink(mct::logb(x)), sink(mct::scalbn(x, 3)), sink(mct::scalbln(x, 3L));
  sink(mct::rint(x)), sink(mct::nearbyint(x)), sink(int(mct::lround(x))), sink(int(mct::lrint(x)));
  X whole;
  sink(mct::modf(x, &whole)), sink(whole), sink(mct::nextafter(x, y)), sink(mct::lerp(x, y, x));
  sink(mct::fmin(x, y)), sink(mct::fmax(x, y)), sink(mct::fdim(x, y));
  sink(mct::fpclassify(x)), sink(mct::isnormal(x));
  sink(mct::renormalize(x)), sink(mct::is_normalized(x));
}

template <class T, int N>
__device__ void call_conversions(const mct::Expansion<T, N>& x, T a, Sink<T> sink) {
  using X = mct::Expansion<T, N>;
  sink(X(a)), sink(X(7)), sink(X(123456789012345678LL)), sink(X(0.1)), sink(X(0.1f)), sink(X(true));
  sink(T(x));
  sink(T(double(x))), sink(T(float(x))), sink(int(x)), sink(bool(x));
  sink(mct::Expansion<T, 1>(x)), sink(mct::Expansion<T, 4>(x));
  sink(X(mct::Expansion<double, 2>(x))), sink(X(mct::Expansion<float, 3>(x)));
  sink(x + mct::Expansion<T, 4>(a)), sink(mct::Expansion<T, 4>(a) < x);
  const T terms[5] = {a, a * T(0.5), a, -a, T(1)};
  sink(mct::renormalize<N>(terms));
  using Limits = std::numeric_limits<X>;
  sink(Limits::max()), sink(Limits::min()), sink(Limits::lowest()), sink(Limits::epsilon());
  sink(Limits::infinity()), sink(Limits::quiet_NaN()), sink(Limits::denorm_min());
}

template <class T, int N>
__global__ void call_all(const T* in, T* out) {
  const Sink<T> sink{out};
  mct::Expansion<T, N> x;
  mct::Expansion<T, N> y;
  for (int i = 0; i < N; ++i) {
    x.limb[i] = in[i];
    y.limb[i] = in[N + i];
  }
  if constexpr (N == 1) call_transforms(in[0], in[1], sink);
  call_operators(x, y, in[2 * N], sink);
  call_functions(x, y, in[2 * N], sink);
  call_conversions(x, in[2 * N], sink);
}

#define MCT_INSTANTIATE(T)                               \
  template __global__ void call_all<T, 1>(const T*, T*); \
  template __global__ void call_all<T, 2>(const T*, T*); \
  template __global__ void call_all<T, 3>(const T*, T*); \
  template __global__ void call_all<T, 4>(const T*, T*);
MCT_INSTANTIATE(double)
MCT_INSTANTIATE(float)
#undef MCT_INSTANTIATE

// half and bfloat16 compute with integers and floats, not with the device's own half arithmetic;
// every function of them would take minutes to compile
template <class T>
__global__ void call_short(const T* in, double* out) {
  using X = mct::Expansion<T, 2>;
  const X x = X::from_limbs(in[0], in[1]);
  const X y(out[0]);
  out[0] = double(x * y + x / y - sqrt(x) + 3);
  out[1] = x < y ? double(fma(in[0], in[1], in[2])) : double(mct::two_prod(in[0], in[1]).lo);
}
template __global__ void call_short<mct::half>(const mct::half*, double*);
template __global__ void call_short<mct::bfloat16>(const mct::bfloat16*, double*);

}  // namespace device_test
