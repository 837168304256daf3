// One task in one arithmetic.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "apps/mct/train/regression_task.hpp"

namespace mct::cli::train {

struct CurvePoint {
  std::int64_t epoch = 0;
  double loss = 0;
};

/// The results. The loss is computed in double over the training data, from the outputs of the
/// model's arithmetic.
struct RegressionResult {
  double train_loss = 0;
  /// Per cent of the test data; NaN where there are no classes.
  double test_accuracy = 0;
  std::vector<CurvePoint> curve;
  double seconds = 0;
};

/// An arithmetic: "f16x2" has weights of two halves and activations of one half; "f16x2-long" has
/// activations of two halves, too. Optimizer and (plain) gradients have the same type.
struct Arm {
  std::string name;
  std::function<RegressionResult(const Task&, const std::function<void(std::int64_t)>&)> run;
};

/// All of them: f16, f16x2, f16x2-long, f16x3, bf16 ..., f32, f64.
const std::vector<Arm>& all_arms();
/// Throws DomainError listing the names.
const Arm& find_arm(const std::string& name);

}  // namespace mct::cli::train
