// The floating-point environment of a thread: its rounding mode and flushing of subnormals.
//
// Error-free transforms need rounding to nearest and subnormal numbers. A thread lacks them after
// fesetround or _MM_SET_FLUSH_ZERO_MODE. It also lacks them in a program that is linked with
// -ffast-math or -Ofast, and in a plug-in of such a program: crtfastm.o turns flushing on before
// main.
// For example, with rounding upward exp of f64x2(1) reads memory before its table. So its result
// may be any number: it was 10.55 in one program and 1.7e43 in another.
//
// Three ways to deal with it:
//   - Functions in headers do not check the environment, because a check costs as much as an
//     addition. In another environment their digits are wrong. Call check_environment at the start
//     of a program, or put an ExactEnvironment around the calculation.
//   - Text input and output set the environment that they need, and restore the caller's. So does
//     every kernel of a tensor, on each of its threads. They are right in any environment.
//   - Programs and interfaces call check_environment if they want to report a wrong environment and
//     not to correct it.
#pragma once

#include <cfenv>
#include <cstdint>

#include "mctensor/config.hpp"

namespace mct {

namespace environment_detail {

/// The control word of the thread's floating-point unit, and the bits of it that must be zero.
#if defined(__x86_64__) || defined(__SSE2__)
using Control = std::uint32_t;
inline Control control() { return __builtin_ia32_stmxcsr(); }
inline constexpr Control rounding_bits = 0x6000;
inline constexpr Control flushing_bits = 0x8040;  // FTZ flushes results, DAZ flushes operands
#elif defined(__aarch64__)
using Control = std::uint64_t;
inline Control control() {
  Control r;
  asm volatile("mrs %0, fpcr" : "=r"(r));
  return r;
}
inline constexpr Control rounding_bits = 0xC00000;
inline constexpr Control flushing_bits = 0x1080001;  // FZ, FZ16 and FIZ
#else
// The C++ library tells the rounding mode, but not whether subnormals are flushed. FE_TONEAREST may
// differ from 0.
using Control = std::uint32_t;
inline Control control() { return Control(std::fegetround() ^ FE_TONEAREST); }
inline constexpr Control rounding_bits = ~Control(0);
inline constexpr Control flushing_bits = 0;
#endif

inline bool is_exact(Control control) { return (control & (rounding_bits | flushing_bits)) == 0; }

/// Sets these bits for the calling thread; all other bits stay, status flags among them.
void set_control(Control bits);

}  // namespace environment_detail

/// True if the calling thread rounds to nearest and flushes no subnormals. One instruction reads
/// both on x86 and arm64; elsewhere only the rounding mode is known.
inline bool environment_is_exact() {
  return environment_detail::is_exact(environment_detail::control());
}

/// Throws DomainError unless environment_is_exact(). The message names the function, the mode and
/// the cure.
void check_environment(const char* function);

/// While an ExactEnvironment exists, its thread rounds to nearest and flushes nothing. The
/// destructor restores the former modes; status flags stay as arithmetic left them. If the modes
/// are right already, the object only reads the control word once.
class ExactEnvironment {
 public:
  ExactEnvironment() : before_(environment_detail::control()) {
    if (!environment_detail::is_exact(before_)) environment_detail::set_control(0);
  }
  ExactEnvironment(const ExactEnvironment&) = delete;
  ExactEnvironment& operator=(const ExactEnvironment&) = delete;
  ~ExactEnvironment() {
    if (!environment_detail::is_exact(before_)) environment_detail::set_control(before_);
  }

 private:
  environment_detail::Control before_;
};

}  // namespace mct
