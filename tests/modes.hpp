// Floating-point modes that the library must not depend on, set for the life of an object.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace mct::testing {

enum class Mode { upward, downward, toward_zero, flush_results, flush_operands };

#if defined(__x86_64__)
inline constexpr Mode all_modes[] = {Mode::upward, Mode::downward, Mode::toward_zero,
                                     Mode::flush_results, Mode::flush_operands};
#else
inline constexpr Mode all_modes[] = {Mode::upward, Mode::downward, Mode::toward_zero};
#endif

inline bool flushes(Mode mode) {
  return mode == Mode::flush_results || mode == Mode::flush_operands;
}

inline const char* name(Mode mode) {
  constexpr const char* names[] = {"upward", "downward", "toward zero", "FTZ", "DAZ"};
  return names[int(mode)];
}

/// The mode of the calling thread while it lives; round to nearest without flushing after.
class Modes {
 public:
  explicit Modes(Mode mode) {
    constexpr int rounding[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    if (!flushes(mode)) {
      std::fesetround(rounding[int(mode)]);
      return;
    }
#if defined(__x86_64__)
    if (mode == Mode::flush_results) {
      _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    } else {
      _mm_setcsr(_mm_getcsr() | 0x40U);
    }
#endif
  }
  Modes(const Modes&) = delete;
  Modes& operator=(const Modes&) = delete;
  ~Modes() {
    std::fesetround(FE_TONEAREST);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() & ~0x8040U);
#endif
  }
};

}  // namespace mct::testing
