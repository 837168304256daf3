// Ctrl-C as a wish to stop, not an end.
#pragma once

namespace mct::cli {

/// While it lives, SIGINT and SIGTERM are noted instead of ending the process; the second one ends
/// it as always.
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
