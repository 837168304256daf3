// The dot products of every component type, compiled once per instruction set.
#include "src/linalg/kernels/dot_kernels.hpp"
#include "src/linalg/kernels/registry.hpp"

namespace mct::linalg_detail::MCT_KERNELS {

#define MCT_DEFINE_PLAIN(T) MCT_DEFINE_DOT(T, 1, 1, T, 1)
#define MCT_DEFINE_LONG(T, N)   \
  MCT_DEFINE_DOT(T, N, N, T, N) \
  MCT_DEFINE_DOT(T, N, N, T, 1)
// a plain dot product accumulated in N components
#define MCT_DEFINE_COMPENSATED(T, N) MCT_DEFINE_DOT(T, N, 1, T, 1)
// rows of a matrix by a vector that was converted once
#define MCT_DEFINE_CONVERTED(T, N, K) \
  MCT_DEFINE_DOT(T, N, N, double, K)  \
  MCT_DEFINE_DOT(T, N, 1, double, K)

MCT_DEFINE_PLAIN(double)
MCT_DEFINE_LONG(double, 2)
MCT_DEFINE_LONG(double, 3)
MCT_DEFINE_LONG(double, 4)
MCT_DEFINE_COMPENSATED(double, 2)
MCT_DEFINE_COMPENSATED(double, 3)
MCT_DEFINE_PLAIN(float)
MCT_DEFINE_LONG(float, 2)
MCT_DEFINE_LONG(float, 3)
MCT_DEFINE_LONG(float, 4)
MCT_DEFINE_COMPENSATED(float, 2)
MCT_DEFINE_COMPENSATED(float, 3)
MCT_DEFINE_PLAIN(half)
MCT_DEFINE_LONG(half, 2)
MCT_DEFINE_LONG(half, 3)
MCT_DEFINE_PLAIN(bfloat16)
MCT_DEFINE_LONG(bfloat16, 2)
MCT_DEFINE_LONG(bfloat16, 3)
MCT_DEFINE_DOT(double, 2, 1, double, 2)
MCT_DEFINE_DOT(double, 3, 1, double, 3)
MCT_DEFINE_DOT(double, 4, 1, double, 4)
MCT_DEFINE_DOT(float, 1, 1, double, 1)
MCT_DEFINE_DOT(half, 1, 1, double, 1)
MCT_DEFINE_DOT(bfloat16, 1, 1, double, 1)
MCT_DEFINE_CONVERTED(float, 2, 1)
MCT_DEFINE_CONVERTED(float, 3, 2)
MCT_DEFINE_CONVERTED(float, 4, 2)
MCT_DEFINE_DOT(float, 3, 3, double, 1)
MCT_DEFINE_DOT(float, 4, 4, double, 1)
MCT_DEFINE_CONVERTED(half, 2, 1)
MCT_DEFINE_CONVERTED(half, 3, 1)
MCT_DEFINE_CONVERTED(bfloat16, 2, 1)
MCT_DEFINE_CONVERTED(bfloat16, 3, 1)

}  // namespace mct::linalg_detail::MCT_KERNELS
