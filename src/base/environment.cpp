// Reports on the floating-point environment, and changes of it.
#include "mctensor/base/environment.hpp"

#include <string>

#include "mctensor/error.hpp"

namespace mct {
namespace environment_detail {

// not inline: the compiler does not move arithmetic on memory across a call that may change the
// memory
void set_control(Control bits) {
#if defined(__x86_64__) || defined(__SSE2__)
  constexpr Control ours = rounding_bits | flushing_bits;
  __builtin_ia32_ldmxcsr((control() & ~ours) | (bits & ours));
#elif defined(__aarch64__)
  constexpr Control ours = rounding_bits | flushing_bits;
  const Control all = (control() & ~ours) | (bits & ours);
  asm volatile("msr fpcr, %0\n\tisb" : : "r"(all) : "memory");
#else
  std::fesetround(int(bits) ^ FE_TONEAREST);
#endif
}

}  // namespace environment_detail

void check_environment(const char* function) {
  using namespace environment_detail;
  const Control bits = control();
  if (is_exact(bits)) return;
  std::string message(function);
  if ((bits & rounding_bits) != 0) {
    message +=
        ": this thread does not round to nearest; call std::fesetround(FE_TONEAREST) before, or "
        "hold an mct::ExactEnvironment";
  } else {
    message +=
        ": this thread flushes subnormal numbers to zero (programs linked with -ffast-math or "
        "-Ofast begin so); link without these options, or hold an mct::ExactEnvironment";
  }
  throw DomainError(message);
}

}  // namespace mct
