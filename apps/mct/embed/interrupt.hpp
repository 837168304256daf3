// Makes ctrl-C a request to stop, not an immediate end.
#pragma once

namespace mct::cli {

/// The exit code after ctrl-C, which shells use for a process that SIGINT ended.
inline constexpr int exit_interrupted = 130;

/// While it lives, SIGINT and SIGTERM are noted and do not end the process; a second signal ends it
/// as usual. Signals that were ignored before stay ignored.
class InterruptNote {
 public:
  InterruptNote();
  InterruptNote(const InterruptNote&) = delete;
  InterruptNote& operator=(const InterruptNote&) = delete;
  ~InterruptNote();

  /// Whether a signal has come.
  static bool is_there();
};

}  // namespace mct::cli
