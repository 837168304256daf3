// A choice between several threads and one, by what each took.
#pragma once

#include <array>
#include <cstddef>

namespace mct::embed {

/// Chooses between a team of threads and one alone by the times that each took lately. The other
/// one is tried again from time to time, because other programs on the machine come and go.
class FasterWay {
 public:
  /// How often the slower one is tried: its price is at most a small part of the time.
  static constexpr int runs_between_trials = 32;

  /// Whether the next run should be a team's.
  bool by_team() {
    if (seconds_[team] == 0) return true;
    if (seconds_[alone] == 0) return false;
    const bool team_is_faster = seconds_[team] <= seconds_[alone];
    const bool trial = ++runs_ % runs_between_trials == 0;
    return trial ? !team_is_faster : team_is_faster;
  }
  /// Notes the time of a run for a unit of work.
  void took(bool by_team, double seconds) {
    double& mean = seconds_[by_team ? team : alone];
    mean = mean == 0 ? seconds : (mean + seconds) / 2;
  }

 private:
  enum : std::size_t { team, alone };
  std::array<double, 2> seconds_{};  // 0: not tried yet
  int runs_ = 0;
};

}  // namespace mct::embed
