// Training with checkpoints, a log, and an end.
#include "apps/mct/embed/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "apps/mct/embed/interrupt.hpp"
#include "apps/mct/embed/training_loop.hpp"
#include "output/progress.hpp"

namespace mct::cli {
namespace {

/// Nodes that are ranked for a metric on the way.
constexpr std::size_t early_objects = 1000;

bool is_first(const distributed::Communicator* ranks) {
  return ranks == nullptr || ranks->rank() == 0;
}

EpochRow row_of(embed::Trainer& trainer, const EmbedSettings& settings,
                const distributed::Communicator* ranks) {
  EpochRow row{trainer.epochs(),
               trainer.last_epoch().loss,
               trainer.radius(),
               trainer.last_epoch().stayed,
               {},
               {}};
  if (settings.evaluate_every > 0 && row.epoch % settings.evaluate_every == 0) {
    trainer.collect();
    if (!is_first(ranks)) return row;
    embed::EvaluateOptions options;
    options.objects = early_objects;
    const auto report = evaluate(trainer.embedding().half_space(), trainer.graph(), options);
    row.map = report.mean_average_precision;
    row.mean_rank = report.mean_rank;
  }
  return row;
}

std::string note_of(const std::vector<EpochRow>& rows) {
  if (rows.empty()) return {};
  std::string note = fmt::format("epoch {}, loss {:.4f}", rows.back().epoch, rows.back().loss);
  for (auto row = rows.rbegin(); row != rows.rend(); ++row)
    if (row->map) return note + fmt::format(", MAP {:.4f}", *row->map);
  return note;
}

}  // namespace

bool is_patience_over(const std::vector<EpochRow>& rows, std::int64_t burn_in,
                      std::int64_t patience) {
  const std::int64_t begin = std::max<std::int64_t>(burn_in, 0);
  const std::int64_t middle = std::int64_t(rows.size()) - patience;
  if (patience == 0 || middle <= begin) return false;
  const auto best = [&](std::int64_t from, std::int64_t to) {
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t i = from; i < to; ++i) least = std::min(least, rows[std::size_t(i)].loss);
    return least;
  };
  return !(best(middle, std::int64_t(rows.size())) < best(begin, middle) * (1 - 1e-3));
}

RunResult run_training(embed::Trainer& trainer, const EmbedSettings& settings,
                       const RunFiles& files, std::vector<EpochRow> rows,
                       distributed::Communicator* ranks) {
  const auto& options = trainer.options();
  const auto edges = std::int64_t(trainer.graph().edge_count());
  const auto total = std::uint64_t(options.epochs * edges);
  const auto done = [&] {
    return std::uint64_t(trainer.epochs() * edges +
                         std::min(trainer.batches() * options.batch, edges));
  };
  const std::uint64_t before = done();
  RunResult result;
  const auto save = [&] {
    trainer.collect();
    if (is_first(ranks)) files.save(trainer, rows);
  };
  output::ProgressBar bar("train", total - before, "edges");
  const InterruptNote interrupt;
  const auto start = RunClock::now();
  const std::int64_t patience = patience_of(settings, options);
  const auto over = [&] { return is_patience_over(rows, options.burn_in, patience); };
  RunSteps steps;
  steps.checkpoint_every = settings.checkpoint_every;
  steps.save = save;
  steps.end_epoch = [&] {
    rows.push_back(row_of(trainer, settings, ranks));
    return !over();
  };
  steps.show = [&] {
    bar.set_note(note_of(rows));
    bar.update(done() - before, total - before);
  };
  result.end = !trainer.done() && over() ? RunEnd::patience : run_loop(trainer, steps, ranks);
  bar.finish();
  save();
  result.seconds = seconds_since(start);
  result.examples = std::int64_t(done() - before);
  result.rows = std::move(rows);
  return result;
}

}  // namespace mct::cli
