// Compiled with -frounding-math: the processor's rounding changes within these functions.
#include "tests/cuda/ptx/rounding.hpp"

#include <cfenv>

namespace mct::cuda::ptx {
namespace {

/// The processor's rounding for as long as this lives.
class InRounding {
 public:
  explicit InRounding(Rounding r) : before_(std::fegetround()) {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(modes[int(r)]);
  }
  ~InRounding() { std::fesetround(before_); }
  InRounding(const InRounding&) = delete;
  InRounding& operator=(const InRounding&) = delete;

 private:
  int before_;
};

/// A value that the compiler must compute where it stands.
template <class T>
T here(T x) {
  volatile T y = x;
  return y;
}

template <class To, class From>
To converted(From x, Rounding r) {
  const InRounding rounding(r);
  return here(To(here(x)));
}

}  // namespace

#define MCT_DIRECTED(name, T, expression)       \
  T name##_directed(T a, T b, Rounding r) {     \
    const InRounding rounding(r);               \
    return here<T>(here(a) expression here(b)); \
  }
MCT_DIRECTED(add, float, +)
MCT_DIRECTED(add, double, +)
MCT_DIRECTED(sub, float, -)
MCT_DIRECTED(sub, double, -)
MCT_DIRECTED(mul, float, *)
MCT_DIRECTED(mul, double, *)
MCT_DIRECTED(div, float, /)
MCT_DIRECTED(div, double, /)
#undef MCT_DIRECTED

float sqrt_directed(float x, Rounding r) {
  const InRounding rounding(r);
  return here(std::sqrt(here(x)));
}
double sqrt_directed(double x, Rounding r) {
  const InRounding rounding(r);
  return here(std::sqrt(here(x)));
}
float fma_directed(float a, float b, float c, Rounding r) {
  const InRounding rounding(r);
  return here(std::fma(here(a), here(b), here(c)));
}
double fma_directed(double a, double b, double c, Rounding r) {
  const InRounding rounding(r);
  return here(std::fma(here(a), here(b), here(c)));
}

double to_integral(double x, Rounding r) {
  const InRounding rounding(r);
  return here(std::nearbyint(here(x)));
}
float to_float_of(double x, Rounding r) { return converted<float>(x, r); }
float to_float_of(std::int64_t x, Rounding r) { return converted<float>(x, r); }
float to_float_of(std::uint64_t x, Rounding r) { return converted<float>(x, r); }
double to_double_of(std::int64_t x, Rounding r) { return converted<double>(x, r); }
double to_double_of(std::uint64_t x, Rounding r) { return converted<double>(x, r); }

}  // namespace mct::cuda::ptx
