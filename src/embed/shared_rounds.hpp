// Short pieces of work, round after round, on a team of threads that is never waited for in vain.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>

namespace mct::embed {

/// One thread, the leader, works on rounds of pieces; others help as far as they get processors.
/// The first free thread takes a piece, so that a round never waits for a thread that has not
/// begun: only for one that is within a piece. On a machine where other programs run, a barrier
/// would make every round wait until all threads have had their turn.
class SharedRounds {
 public:
  /// Work on piece `piece` by thread `thread`.
  using Work = std::function<void(int piece, int thread)>;

  /// Runs `leader`, which calls round(), on this thread, while `threads` - 1 others help. An
  /// exception of `leader` is rethrown.
  void run(int threads, const std::function<void()>& leader);

  /// Of the leader: work(piece, thread) for 0 <= piece < pieces, on any threads and in any order;
  /// then goes on. Rethrows the exception of a piece, once all pieces have ended.
  void round(int pieces, const Work& work);

 private:
  bool work_on_one(int thread);
  void help(int thread);
  void begin_round(int pieces);

  // The number of the round in the high half, and how many of its pieces are not taken yet in the
  // low half: taken together, so that a thread that comes late takes none of the next round.
  std::atomic<std::uint64_t> open_{0};
  std::atomic<int> round_{0};  // the same number, to sleep on; helpers leave at `over`
  std::atomic<int> done_{0};   // pieces of this round
  const Work* work_ = nullptr;
  int helpers_ = 0;
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;  // of the thread that set failed_
};

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
