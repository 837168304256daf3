// Ctrl-C as a wish to stop, not an end.
#pragma once

namespace mct::cli {

/// The exit code then, as shells have it for a process that SIGINT ended.
inline constexpr int exit_interrupted = 130;

/// While it lives, SIGINT and SIGTERM are noted instead of ending the process; the second one ends
/// it as always. Those that were ignored before stay ignored.
class InterruptNote {
 public:
  InterruptNote();
  InterruptNote(const InterruptNote&) = delete;
  InterruptNote& operator=(const InterruptNote&) = delete;
  ~InterruptNote();

  /// One has come.
  static bool is_there();
};

}  // namespace mct::cli
