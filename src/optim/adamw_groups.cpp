#include "mctensor/optim/adamw_groups.hpp"

#include <string>

#include "mctensor/error.hpp"
#include "src/optim/adamw_floats.hpp"
#include "src/optim/memory_check.hpp"

namespace mct::optim {

namespace {

void check(const AdamWGroup& group) {
  validate(group.options, group.strategy, group.format);
  if (group.step < 1)
    throw DomainError("AdamW: step " + std::to_string(group.step) + " is not at least 1");
  optim_detail::check_tensors(group.strategy, group.memory);
  if (group.floats.empty()) return;
  if (group.floats.size() != group.memory.size())
    throw DomainError("AdamW: floats beside " + std::to_string(group.floats.size()) + " of " +
                      std::to_string(group.memory.size()) + " arrays");
  if (layout_of(group.strategy).theta == sizeof(float))
    throw DomainError("AdamW: floats beside " + to_string(group.strategy) +
                      ", whose weights are floats");
}

}  // namespace

StepReport nonfinite_gradients(std::span<const AdamWGroup> groups) {
  StepReport report;
  for (const AdamWGroup& group : groups) {
    check(group);
    report.nonfinite +=
        optim_detail::count_nonfinite(group.strategy, group.format, group.memory, group.floats);
    for (const AdamWMemory& part : group.memory) report.elements += part.count;
  }
  return report;
}

StepReport adamw_step(std::span<const AdamWGroup> groups) {
  StepReport report = nonfinite_gradients(groups);
  report.skipped = report.nonfinite > 0;
  if (report.skipped) return report;
  report = {};
  for (const AdamWGroup& group : groups)
    report += optim_detail::adamw_steps(group.strategy, group.format, group.memory, group.floats,
                                        group.options, group.step);
  return report;
}

}  // namespace mct::optim
