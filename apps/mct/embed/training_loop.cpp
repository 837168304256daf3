#include "apps/mct/embed/training_loop.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "apps/mct/embed/interrupt.hpp"
#include "apps/mct/embed/processes.hpp"

namespace mct::cli {
namespace {

/// The number of batches that take about a fifth of a second: ctrl-C is noticed after each portion.
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

/// The next thing to do.
struct Plan {
  std::int64_t batches;
  bool save, stop;
};

/// The plan of rank 0, because clocks differ. All ranks stop if one of them was told to.
Plan agreed(const Plan& own, distributed::Communicator* ranks) {
  if (ranks == nullptr) return own;
  const auto all = ranks->all_gather(std::span<const Plan>(&own, 1)).values;
  Plan plan = all.front();
  for (const Plan& other : all) plan.stop = plan.stop || other.stop;
  return plan;
}

}  // namespace

RunEnd run_loop(embed::Trainer& trainer, RunFiles& files, std::size_t run, const RunSteps& steps,
                distributed::Communicator* ranks) {
  const auto save = [&] {
    trainer.collect();
    if (is_first(ranks)) files.save(run, trainer);
  };
  auto saved = RunClock::now();
  Portion portion;
  bool goes_on = steps.goes_on();
  bool interrupted = false;
  while (goes_on && !trainer.done()) {
    const Plan plan = agreed({portion.batches(), seconds_since(saved) >= steps.checkpoint_every,
                              InterruptNote::is_there()},
                             ranks);
    interrupted = plan.stop;
    if (interrupted) break;
    if (plan.save) {
      save();
      saved = RunClock::now();
    }
    const auto begin = RunClock::now();
    if (trainer.advance(plan.batches)) {
      nlohmann::json line = epoch_line(trainer);
      steps.complete(line);
      files.log(run, std::move(line));
      goes_on = steps.goes_on();
    }
    portion.took(seconds_since(begin));
    steps.show();
  }
  save();
  if (interrupted) return RunEnd::interrupted;
  return trainer.done() ? RunEnd::all_epochs : RunEnd::patience;
}

}  // namespace mct::cli
