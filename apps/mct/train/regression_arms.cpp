// The arithmetics by name.
#include <fmt/format.h>
#include <functional>

#include "apps/mct/train/regression.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/error.hpp"

namespace mct::cli::train {

template <class T, int N, int A>
RegressionResult run_arm(const Task& task, const std::function<void(std::int64_t)>& progress);

const std::vector<Arm>& all_arms() {
  static const std::vector<Arm> arms{
      {"f16", run_arm<half, 1, 1>},
      {"f16x2", run_arm<half, 2, 1>},
      {"f16x2-long", run_arm<half, 2, 2>},
      {"f16x3", run_arm<half, 3, 1>},
      {"bf16", run_arm<bfloat16, 1, 1>},
      {"bf16x2", run_arm<bfloat16, 2, 1>},
      {"bf16x2-long", run_arm<bfloat16, 2, 2>},
      {"bf16x3", run_arm<bfloat16, 3, 1>},
      {"f32", run_arm<float, 1, 1>},
      {"f64", run_arm<double, 1, 1>},
  };
  return arms;
}

const Arm& find_arm(const std::string& name) {
  std::string names;
  for (const auto& arm : all_arms()) {
    if (arm.name == name) return arm;
    names += (names.empty() ? "" : ", ") + arm.name;
  }
  throw DomainError(fmt::format("no arithmetic '{}': there are {}", name, names));
}

}  // namespace mct::cli::train
