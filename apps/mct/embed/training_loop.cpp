#include "apps/mct/embed/training_loop.hpp"

#include <algorithm>
#include <span>

#include "apps/mct/embed/interrupt.hpp"

namespace mct::cli {
namespace {

/// So many batches that a fifth of a second passes: then a note can be taken of ctrl-C.
class Portion {
 public:
  std::int64_t batches() const { return batches_; }
  void took(double seconds) {
    if (seconds < 0.1) batches_ = std::min<std::int64_t>(2 * batches_, 1 << 20);
    if (seconds > 0.4) batches_ = std::max<std::int64_t>(1, batches_ / 2);
  }

 private:
  std::int64_t batches_ = 16;
};

/// What is to be done next.
struct Plan {
  std::int64_t batches;
  bool save, stop;
};

/// That of rank 0, for clocks differ; but each of them may have been told to stop.
Plan agreed(const Plan& own, distributed::Communicator* ranks) {
  if (ranks == nullptr) return own;
  const auto all = ranks->all_gather(std::span<const Plan>(&own, 1)).values;
  Plan plan = all.front();
  for (const Plan& other : all) plan.stop = plan.stop || other.stop;
  return plan;
}

}  // namespace

RunEnd run_loop(embed::Trainer& trainer, const RunSteps& steps, distributed::Communicator* ranks) {
  auto saved = RunClock::now();
  Portion portion;
  while (!trainer.done()) {
    const Plan plan = agreed({portion.batches(), seconds_since(saved) >= steps.checkpoint_every,
                              InterruptNote::is_there()},
                             ranks);
    if (plan.stop) return RunEnd::interrupted;
    if (plan.save) {
      steps.save();
      saved = RunClock::now();
    }
    const auto begin = RunClock::now();
    const bool goes_on = !trainer.advance(plan.batches) || steps.end_epoch();
    portion.took(seconds_since(begin));
    steps.show();
    if (!goes_on) return trainer.done() ? RunEnd::all_epochs : RunEnd::patience;
  }
  return RunEnd::all_epochs;
}

}  // namespace mct::cli
