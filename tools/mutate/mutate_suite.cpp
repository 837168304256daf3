// The precision suite's check of some operations as a test program for tools/mutate/mutate.py: of
// each task that the functions MCT_TASKS enter, the special values and a few cases are a test, and
// MCT_CASES cases another.
#include <algorithm>
#include <cstdint>

#include "validation/core/task.hpp"

namespace {

using mct::validation::Task;

class Check : public testing::Test {
 public:
  Check(const Task& task, double cases) : task_(task), cases_(cases) {}

  void TestBody() override {
    if (cases_ <= few) {
      EXPECT_EQ(task_.run_specials().violation_count, 0U);
    }
    const auto count = std::uint64_t(cases_ * task_.weight()) + 16;
    EXPECT_EQ(task_.run(1, 0, std::min(count, task_.most_cases())).violation_count, 0U);
  }

  static constexpr double few = 40;

 private:
  const Task& task_;
  double cases_;
};

}  // namespace

int main(int argc, char** argv) {
  mct::validation::TaskList tasks;
  mct::validation::MCT_TASKS(tasks);
  testing::InitGoogleTest(&argc, argv);
  for (const double cases : {Check::few, MCT_CASES}) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const std::string suite = cases == Check::few ? "Few" : "Many";
      testing::RegisterTest(
          suite.c_str(), std::to_string(i).c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [&tasks, i, cases]() -> testing::Test* { return new Check(*tasks[i], cases); });
    }
  }
  return RUN_ALL_TESTS();
}
