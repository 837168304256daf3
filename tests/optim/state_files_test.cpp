// Files of optimizers: all have one format, and none is read that does not hold the states of the
// optimizer it is read into. A refusal names the file and the entry and changes nothing.
#include <functional>
#include <limits>

#include "mctensor/geometry/optim/all.hpp"
#include "mctensor/optim/all.hpp"
#include "mctensor/tensor/all.hpp"
#include "tests/files.hpp"
#include "tests/optim/state_entries.hpp"

namespace mct::test {
namespace {

using namespace optim;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A saved optimizer, and one that is to refuse what a test makes of the file.
template <class Optimizer>
class Refusals {
 public:
  Refusals(const Optimizer& saved, Optimizer& other) : other_(other) {
    saved.save(path_);
    other_.save(untouched_);
  }

  void expect(const std::string& entry, const std::function<void(StateEntries&)>& change) {
    StateEntries file(path_);
    change(file);
    file.save(changed_);
    expect_refused(entry);
  }
  void expect_truncated() {
    const std::string all = testing::content_of(path_);
    std::ofstream(changed_, std::ios::binary) << all.substr(0, all.size() - 8);
    expect_refused("");
  }
  /// What is wrong with the file of any optimizer; `state` is an entry with numbers.
  void expect_all(const std::string& state) {
    expect(state, [&](auto& file) { file.entries.erase(state); });
    expect(state, [&](auto& file) { file.rename(state, state + "x"); });
    expect("more", [&](auto& file) { file.entries.emplace("more", Tensor<float>({1})); });
    expect(state, [&](auto& file) { file.lengthen(state); });
    expect(state, [&](auto& file) { file.retype(state); });
    expect(state, [&](auto& file) { file.set_first(state, nan); });
    expect("counts", [&](auto& file) { file.set_first("counts", -1); });
    expect("updates", [&](auto& file) { file.set_first("updates", -1); });
    expect("counts", [&](auto& file) { file.set_first("counts", 0x1p62); });
    expect("updates", [&](auto& file) { file.set_first("updates", 0x1p62); });
    expect("updates", [&](auto& file) { file.lengthen("updates"); });
    expect("counts", [&](auto& file) { file.entries.erase("counts"); });
    expect("its optimizer", [&](auto& file) { file.metadata.clear(); });
    expect_truncated();
    other_.load(path_);  // it was the change that was refused
    EXPECT_GT(other_.steps(), 0);
  }
  void expect_negative(const std::string& square) {
    expect(square, [&](auto& file) { file.set_first(square, -1); });
  }

 private:
  void expect_refused(const std::string& entry) {
    SCOPED_TRACE(entry);
    const auto message = testing::message_of<IoError>([&] { other_.load(changed_); });
    EXPECT_NE(message.find(changed_.string()), std::string::npos) << message;
    EXPECT_NE(message.find(entry), std::string::npos) << message;
    other_.save(again_);
    EXPECT_EQ(testing::content_of(again_), testing::content_of(untouched_));
  }

  testing::TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_ / "states";
  std::filesystem::path changed_ = directory_ / "changed";
  std::filesystem::path untouched_ = directory_ / "untouched";
  std::filesystem::path again_ = directory_ / "again";
  Optimizer& other_;
};

template <class Optimizer, class T, int N>
void step(Optimizer& optimizer, const Variable<T, N>& x) {
  x.zero_grad();
  x.set_grad(Tensor<T>::from_values({T(1), T(-0.5), T(0.25)}));
  EXPECT_FALSE(optimizer.step().skipped);
}

template <class T, int N>
Variable<T, N> three_numbers() {
  return Variable<T, N>(convert<T, N>(Tensor<double>::from_values({1, -2, 3})), true);
}

template <class Optimizer, class T, int N, class Options>
void check(const Options& options, const std::string& state, bool square) {
  const auto x = three_numbers<T, N>();
  Optimizer saved({x}, options);
  step(saved, x);
  step(saved, x);
  Optimizer other({x}, options);
  Refusals refusals(saved, other);
  if (square) refusals.expect_negative("0.0.v");
  refusals.expect_all(state);
}

TEST(StateFiles, OfSgdAndAdamAreChecked) {
  SgdOptions momentum;
  momentum.momentum = 0.9;
  check<Sgd<double>, double, 1>(momentum, "0.0.momentum", false);
  AdamOptions adam;
  adam.eps = 1e-4;
  adam.amsgrad = true;
  check<Adam<double>, double, 1>(adam, "0.0.m", true);
  check<Adam<float, 2>, float, 2>(adam, "0.0.v_max", true);
  check<Adam<half, 2>, half, 2>(adam, "0.0.m", true);
  check<AdamW<float>, float, 1>(adamw_defaults(), "0.0.m", true);
}

TEST(StateFiles, OfLionAndAdafactorAreChecked) {
  check<Lion<double>, double, 1>(LionOptions(), "0.0.m", false);
  check<Lion<bfloat16, 2>, bfloat16, 2>(LionOptions(), "0.0.m", false);
  check<Adafactor<float, 2>, float, 2>(AdafactorOptions(), "0.0.v", true);
}

// the same steps in the same numbers, but other algorithms
TEST(StateFiles, OfAnotherOptimizerAreRefused) {
  const testing::TemporaryDirectory directory;
  const auto path = directory / "states";
  const auto x = three_numbers<double, 1>();
  Adam<double> adam({x});
  step(adam, x);
  adam.save(path);
  AdamW<double> adamw({x});
  const auto message = testing::message_of<IoError>([&] { adamw.load(path); });
  EXPECT_NE(message.find("its optimizer is 'Adam', expected 'AdamW'"), std::string::npos)
      << message;
  AdamOptions amsgrad;
  amsgrad.amsgrad = true;
  Adam<double> larger({x}, amsgrad);
  EXPECT_THROW(larger.load(path), IoError);
  EXPECT_EQ(larger.steps(), 0);
}

TEST(StateFiles, OfMcAdamWAreChecked) {
  for (const Strategy strategy : all_strategies()) {
    SCOPED_TRACE(to_string(strategy));
    const auto x = three_numbers<float, 1>();
    McAdamW<bfloat16> saved({x}, strategy);
    step(saved, x);
    McAdamW<bfloat16> other({three_numbers<float, 1>()}, strategy);
    Refusals refusals(saved, other);
    const Composition parts = composition_of(strategy);
    if (parts.states == Number::roots) {
      refusals.expect("0.m", [](auto& file) { file.set_first_bits("0.m", 0x0080); });
      // 224 is no scale of v, and 241 none of m
      refusals.expect("0.low", [](auto& file) { file.set_lowest_bits("0.low", 0, 224); });
      refusals.expect("0.low", [](auto& file) { file.set_lowest_bits("0.low", 8, 241); });
    } else {
      refusals.expect_negative("0.v");
    }
    if (parts.low != LowPart::none && !parts.is_split())
      refusals.expect("0.low", [](auto& file) { file.set_first("0.low", nan); });
    refusals.expect("its strategy is 'nonsense'",
                    [](auto& file) { file.metadata["mctensor.strategy"] = "nonsense"; });
    refusals.expect("its strategy is 'fp8-states', expected '" + to_string(strategy) + "'; split8",
                    [](auto& file) { file.metadata["mctensor.strategy"] = "fp8-states"; });
    refusals.expect("seed", [](auto& file) { file.lengthen("seed"); });
    refusals.expect_all("0.theta");
  }
}

TEST(StateFiles, OfRiemannianOptimizersAreChecked) {
  using Rows = geometry::ManifoldRows<geometry::PoincareBall<double>>;
  const auto points = Tensor<double>::from_values({0.1, 0.2, -0.3, 0.1}, {2, 2});
  const auto gradient = Tensor<double>::from_values({1, 0.5, -1, 2}, {2, 2});
  geometry::RadamOptions options = geometry::radamw_defaults();
  options.amsgrad = true;
  geometry::Radam<Rows> saved(Rows(), points.clone(), options);
  EXPECT_EQ(saved.step(gradient).updated, 2);
  geometry::Radam<Rows> other(Rows(), points.clone(), options);
  Refusals refusals(saved, other);
  refusals.expect_negative("number.v");
  refusals.expect("radii", [](auto& file) { file.set_first("radii", -1); });
  refusals.expect("radii", [](auto& file) { file.lengthen("radii"); });
  refusals.expect_all("vector.m");
  geometry::RsgdOptions momentum;
  momentum.momentum = 0.9;
  geometry::Rsgd<Rows> first(Rows(), points.clone(), momentum);
  first.step(gradient);
  geometry::Rsgd<Rows> second(Rows(), points.clone(), momentum);
  Refusals<geometry::Rsgd<Rows>>(first, second).expect_all("vector.momentum");
}

}  // namespace
}  // namespace mct::test
