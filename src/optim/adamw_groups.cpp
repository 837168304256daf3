#include "mctensor/optim/adamw_groups.hpp"

#include <string>

#include "mctensor/error.hpp"
#include "src/optim/adamw_constants.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/memory_check.hpp"

namespace mct::optim {

namespace {

void check(const AdamWGroup& group) {
  optim_detail::check_step(group.strategy, group.format, group.options, group.step);
  optim_detail::check_tensors(group.strategy, group.memory);
  if (group.floats.empty()) return;
  if (group.floats.size() != group.memory.size())
    throw DomainError("AdamW: floats are given for " + std::to_string(group.floats.size()) +
                      " of " + std::to_string(group.memory.size()) +
                      " tensors, expected for all or for none");
  if (layout_of(group.strategy).theta == sizeof(float))
    throw DomainError("AdamW: floats are given, but the weights of strategy " +
                      to_string(group.strategy) + " are floats already");
}

/// The elements of all groups, and how many gradients are infinite or NaN.
StepReport count(std::span<const AdamWGroup> groups) {
  StepReport report;
  for (const AdamWGroup& group : groups) {
    check(group);
    report.nonfinite +=
        optim_detail::count_nonfinite(group.strategy, group.format, group.memory, group.floats);
    for (const AdamWMemory& part : group.memory) report.elements += part.count;
  }
  return report;
}

}  // namespace

StepReport adamw_step(std::span<const AdamWGroup> groups, const SkipVote& vote) {
  StepReport report;
  try {
    report = count(groups);
  } catch (...) {  // the others wait for an answer
    if (vote) vote(1);
    throw;
  }
  const bool is_voted = vote && vote(report.nonfinite);
  report.skipped = is_voted || report.nonfinite > 0;
  if (report.skipped) return report;
  report = {};
  for (const AdamWGroup& group : groups)
    report += optim_detail::adamw_steps(group.strategy, group.format, group.memory, group.floats,
                                        group.options, group.step);
  return report;
}

}  // namespace mct::optim
