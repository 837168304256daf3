// A progress bar for a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>

namespace mct::output {

/// One line of at most `width` columns: "validate [====>    ]  42 %  1.25e+06 cases/s  ETA 9.3 s",
/// and a note. `unit` is what is counted.
std::string progress_line(const std::string& label, std::uint64_t done, std::uint64_t total,
                          double seconds, std::size_t width, const std::string& unit = "cases",
                          const std::string& note = "");

/// Draws progress_line on a terminal, at most ten times a second, over itself; clears it at the
/// end. Draws nothing when the stream is no terminal. Every member may be called by any thread.
class ProgressBar {
 public:
  /// Draws the empty bar at once. `label` stands in front of it; `unit` is what is counted.
  ProgressBar(std::string label, std::uint64_t total, std::FILE* stream = stderr);
  ProgressBar(std::string label, std::uint64_t total, std::string unit, std::FILE* stream = stderr);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// So many cases of `total` are done. An update that comes late (fewer cases than the last one)
  /// is ignored.
  void update(std::uint64_t done, std::uint64_t total);

  /// What stands behind the bar from the next drawing on: a loss, say.
  void set_note(std::string note);

  /// Clears the line; later updates draw nothing. The destructor does the same.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void draw(std::uint64_t done, std::uint64_t total, Clock::time_point now);

  const std::string label_;
  const std::string unit_;
  std::string note_;
  std::FILE* const stream_;
  bool active_;
  std::uint64_t last_done_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_draw_;
  std::mutex mutex_;
};

}  // namespace mct::output
