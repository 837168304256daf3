// Numbers that carry their error in a kernel. Only compiled: it fails where something lacks MCT_HD
// or uses what device code does not have.
#include "mctensor/certified/certified.hpp"
#include "mctensor/certified/functions.hpp"

namespace device_test {

template <class T, int N>
__global__ void certified_kernel(const mct::Certified<T, N>* x, mct::Certified<T, N>* out,
                                 bool* said) {
  using X = mct::Certified<T, N>;
  const X a = x[0], b = x[1];
  const X results[] = {a + b,  a - b,  a * b,    a / b,     sqrt(a),
                       exp(a), log(a), log1p(a), pow(a, b), tan(a)};
  for (const X& r : results) *out++ = r;
  said[0] = is_positive(a);
  said[1] = is_less(a, b);
  said[2] = contains(a, b.value());
}

template __global__ void certified_kernel<double, 2>(const mct::Certified<double, 2>*,
                                                     mct::Certified<double, 2>*, bool*);
template __global__ void certified_kernel<float, 2>(const mct::Certified<float, 2>*,
                                                    mct::Certified<float, 2>*, bool*);

}  // namespace device_test
