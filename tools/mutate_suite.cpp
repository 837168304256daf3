// The precision suite's check of some operations as a test program for tools/mutate.py: the tasks
// that the functions MCT_TASKS enter, a few cases of each first, then more. Exit code 1 at the
// first violation.
#include <algorithm>
#include <cstdint>

#include "validation/core/task.hpp"

int main() {
  mct::validation::TaskList tasks;
  mct::validation::MCT_TASKS(tasks);
  for (const auto& task : tasks)
    if (task->run_specials().violation_count != 0) return 1;
  for (const double cases : {80.0, MCT_CASES}) {
    for (const auto& task : tasks) {
      const auto count = std::uint64_t(cases * task->weight()) + 16;
      if (task->run(1, 0, std::min(count, task->most_cases())).violation_count != 0) return 1;
    }
  }
  return 0;
}
