// The suite's cases of the tilings: what they are compared with has the digits that it takes.
#include <gtest/gtest.h>

#include <string>

#include "mctensor/geometry/tiling/ltiling.hpp"
#include "validation/core/task.hpp"
#include "validation/geometry/tiling_truth.hpp"

namespace mct::validation {
namespace {

using Plane = geometry::LTiling<double>;

/// The last step is as long as the suite's longest one: outward, and back through the origin.
TEST(TilingTruth, HasDigitsForTheLongestStep) {
  const Plane plane;
  const auto start = plane.from_polar(600, {0.6, 0.8});
  const auto inward = plane.logmap(start, plane.origin());
  const TruthPrecision precision(8192);
  for (const double part : {2.0, -2.0}) {
    const auto end = plane.expmap(start, {part * inward[0], part * inward[1]});
    EXPECT_GT(plane.dist0(end), 1500) << "a rounded direction leads past the origin";
    const Truth exact = true_distance(truth_of(start), truth_of(end));
    EXPECT_NEAR(double(exact), 1200, 1e-9);
    const FarTruth found = true_distance(truth_of<FarTruth>(start), truth_of<FarTruth>(end));
    const double scale = 0x1p500;
    Truth rounded;
    mpfr_set(rounded.backend().data(), found.get(), MPFR_RNDN);
    EXPECT_LT(double(Truth(abs(rounded - exact) * scale)), 1);
  }
}

/// Also past the distances where 3072 bits are enough: one step in two hundred.
TEST(TilingTask, StepsThroughTheOriginAreMeasured) {
  TaskList list;
  add_tiling_tasks(list);
  int tasks = 0;
  for (const auto& task : list) {
    if (!task->describe().operation.ends_with("_expmap")) continue;
    ++tasks;
    const BlockResult result = task->run(5, 0, 150);
    EXPECT_EQ(result.violation_count, 0u) << result.worst_replay;
  }
  EXPECT_EQ(tasks, 6);
}

}  // namespace
}  // namespace mct::validation
