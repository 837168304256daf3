// Calls every elementary function that a kernel may call. Only compiled: it fails where a function
// lacks MCT_HD or uses what device code does not have.
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/all.hpp"

namespace device_test {

template <class T, int N>
__device__ void call_functions(const mct::Expansion<T, N>& x, const mct::Expansion<T, N>& y,
                               mct::Expansion<T, N>* out) {
  using X = mct::Expansion<T, N>;
  const X results[] = {
      exp(x),         exp2(x),        expm1(x),      log(x),      log2(x),   log10(x),
      log1p(x),       sinh(x),        cosh(x),       tanh(x),     sinhc(x),  rsinhc(x),
      tanhc(x),       rtanhc(x),      asinh(x),      acosh(x),    atanh(x),  arcosh1p(x),
      cbrt(x),        hypot(x, y),    pow(x, y),     sin(x),      cos(x),    tan(x),
      sinpi(x),       cospi(x),       sincos(x).sin, asin(x),     acos(x),   atan(x),
      atan2(x, y),    erf(x),         erfc(x),       lgamma(x),   tgamma(x), sigmoid(x),
      softplus(x),    log_sigmoid(x), gelu(x),       log_cosh(x), exp10(x),  tanpi(x),
      hypot(x, y, x), exp2m1(x),      log2p1(x),     logit(x)};
  for (const X& r : results) *out++ = r;
}

template <class T, int N>
__global__ void math_kernel(const mct::Expansion<T, N>* x, mct::Expansion<T, N>* out) {
  call_functions(x[0], x[1], out);
}

template __global__ void math_kernel<double, 2>(const mct::f64x2*, mct::f64x2*);
template __global__ void math_kernel<float, 2>(const mct::f32x2*, mct::f32x2*);
template __global__ void math_kernel<float, 3>(const mct::f32x3*, mct::f32x3*);

}  // namespace device_test
