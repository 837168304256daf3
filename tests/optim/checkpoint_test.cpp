// One file for model, optimizer and options, by the names of parameters.
#include "mctensor/nn/all.hpp"
#include "mctensor/optim/all.hpp"
#include "mctensor/tensor/all.hpp"
#include "tests/files.hpp"
#include "tests/optim/state_entries.hpp"

namespace mct::test {
namespace {

using namespace optim;

template <class T, int N>
std::shared_ptr<nn::Sequential<T, N>> model(std::uint64_t seed, std::int64_t hidden = 5) {
  auto all = std::make_shared<nn::Sequential<T, N>>();
  all->template emplace<nn::Linear>(3, hidden, seed);
  all->template emplace<nn::GELU>();
  all->template emplace<nn::Linear>(hidden, 2, seed + 1);
  return all;
}

template <class Model, class AnyOptimizer>
void train(Model& net, AnyOptimizer& optimizer, int steps) {
  for (int t = 0; t < steps; ++t) {
    optimizer.zero_grad();
    const auto x = randn<float>({4, 3}, 100 + std::uint64_t(optimizer.steps()));
    mean(square(net(Variable<float>(x)))).backward();
    EXPECT_FALSE(optimizer.step().skipped);
  }
}

/// A layer of 16-bit weights and its optimizer.
struct NarrowModel {
  Variable<bfloat16> weight;
  McAdamW<bfloat16, bfloat16> optimizer;

  NarrowModel(std::uint64_t seed, Strategy strategy, double lr, bool release)
      : weight(convert<bfloat16, 1>(randn<float>({3, 4}, seed)), true),
        optimizer({weight}, strategy, options_of(lr)) {
    optimizer.set_gradient_release(release);
  }
  static AdamWOptions options_of(double lr) {
    AdamWOptions options;
    options.lr = lr;
    options.seed = 9;
    return options;
  }
  NamedParameters<bfloat16> named() const { return {{"weight", weight}}; }
  void train(int steps) {
    for (int t = 0; t < steps; ++t) {
      optimizer.zero_grad();
      const auto x = randn<float>({4, 3}, 100 + std::uint64_t(optimizer.steps()));
      mean(square(matmul(Variable<bfloat16>(convert<bfloat16, 1>(x)), weight))).backward();
      EXPECT_EQ(optimizer.step().nonfinite, 0);
    }
  }
};

template <class Model>
::testing::AssertionResult same_weights(const Model& a, const Model& b) {
  const auto left = a.state_dict();
  const auto right = b.state_dict();
  for (const auto& [name, tensor] : left)
    for (int k = 0; k < tensor.nc(); ++k)
      if (tensor.plane(k).flatten().values() != right.at(name).plane(k).flatten().values())
        return ::testing::AssertionFailure() << name;
  return ::testing::AssertionSuccess();
}

/// Trains on from a checkpoint as if there had been no stop. `make` makes an optimizer of a model.
template <int N, class Make>
void check_resume(const Make& make) {
  const testing::TemporaryDirectory directory;
  const auto path = directory / "checkpoint";
  const auto a = model<float, N>(1);
  auto first = make(*a, 0.02);
  train(*a, *first, 5);
  save_checkpoint(path, a->named_parameters(), *first);
  train(*a, *first, 5);
  const auto b = model<float, N>(7);
  auto second = make(*b, 0.5);  // another rate: that of the file holds
  load_checkpoint(path, b->named_parameters(), *second);
  EXPECT_EQ(second->steps(), 5);
  train(*b, *second, 5);
  EXPECT_TRUE(same_weights(*a, *b));
}

TEST(Checkpoint, GoesOnBitForBit) {
  const auto of = [](auto type, auto options) {
    using Optimizer = typename decltype(type)::type;
    return [options](const auto& net, double lr) {
      auto own = options;
      own.lr = lr;
      return std::make_unique<Optimizer>(net.parameters(), own);
    };
  };
  SgdOptions momentum;
  momentum.momentum = 0.9;
  check_resume<1>(of(std::type_identity<Sgd<float>>(), momentum));
  AdamOptions amsgrad = adamw_defaults();
  amsgrad.amsgrad = true;
  check_resume<2>(of(std::type_identity<AdamW<float, 2>>(), amsgrad));
  check_resume<2>(of(std::type_identity<Lion<float, 2>>(), LionOptions()));
  check_resume<1>(of(std::type_identity<Adafactor<float>>(), AdafactorOptions()));
  for (const Strategy strategy : {Strategy::plus, Strategy::split16_plus, Strategy::split8})
    check_resume<1>([&](const auto& net, double lr) {
      AdamWOptions options;
      options.lr = lr;
      options.seed = std::uint64_t(lr * 100);
      return std::make_unique<McAdamW<bfloat16>>(net.parameters(), strategy, options);
    });
}

/// Variables that are theta, with gradients released or not; float variables are other parameters.
TEST(Checkpoint, OfNarrowVariablesGoesOnBitForBit) {
  for (const bool release : {false, true})
    for (const Strategy strategy : {Strategy::light, Strategy::split16_plus, Strategy::split8}) {
      const testing::TemporaryDirectory directory;
      const auto path = directory / "checkpoint";
      NarrowModel a(1, strategy, 0.02, release);
      a.train(3);
      save_checkpoint(path, a.named(), a.optimizer);
      a.train(3);
      NarrowModel b(7, strategy, 0.5, release);
      load_checkpoint(path, b.named(), b.optimizer);
      EXPECT_EQ(b.optimizer.options().lr, 0.02);
      b.train(3);
      EXPECT_TRUE(a.weight.value().values() == b.weight.value().values());
      EXPECT_TRUE(a.optimizer.exact_value(0).values() == b.optimizer.exact_value(0).values());

      const Variable<float> wide(Tensor<float>({3, 4}), true);
      McAdamW<bfloat16> other({wide}, strategy);
      const auto error = testing::io_error_of([&] {
        load_checkpoint(path, NamedParameters<float>{{"weight", wide}}, other);
      });
      EXPECT_NE(error.find("weight"), std::string::npos) << error;
    }
}

TEST(Checkpoint, OptionsAreThoseOfTheFile) {
  const testing::TemporaryDirectory directory;
  const auto path = directory / "checkpoint";
  const auto a = model<float, 1>(1);
  AdamOptions options = adamw_defaults();
  options.beta1 = 0.8;
  options.beta2 = 0.9;
  options.eps = 1e-3;
  options.decay_mode = WeightDecay::decoupled;
  AdamW<float> saved(groups_by_dimension(a->named_parameters(), 0.01, 0.3), options);
  train(*a, saved, 3);
  save_checkpoint(path, a->named_parameters(), saved);
  // the same groups in the other order, other numbers
  auto groups = groups_by_dimension(a->named_parameters(), 5, 7);
  std::swap(groups[0], groups[1]);
  AdamW<float> other(groups, adamw_defaults());
  load_checkpoint(path, a->named_parameters(), other);
  EXPECT_EQ(other.groups()[0].lr, 0.01);
  EXPECT_EQ(other.groups()[0].weight_decay, 0);
  EXPECT_EQ(other.groups()[1].weight_decay, 0.3);
  std::map<std::string, double> found;
  other.visit_options([&](const char* name, const double& value) { found[name] = value; });
  EXPECT_EQ(found.at("beta1"), 0.8);
  EXPECT_EQ(found.at("beta2"), 0.9);
  EXPECT_EQ(found.at("eps"), 1e-3);
  EXPECT_EQ(found.at("decay_mode"), double(WeightDecay::decoupled));
  // AdamW does not become Adam
  StateEntries file(path);
  file.set_first("option.decay_mode", double(WeightDecay::l2));
  file.save(directory / "l2");
  const auto l2 = testing::io_error_of(
      [&] { load_checkpoint(directory / "l2", a->named_parameters(), other); });
  EXPECT_NE(l2.find("decay_mode l2"), std::string::npos) << l2;
  // one group for all: which rates should it have?
  AdamW<float> single(a->parameters());
  const auto message =
      testing::io_error_of([&] { load_checkpoint(path, a->named_parameters(), single); });
  EXPECT_NE(message.find("different rates for 0.weight and 0.bias"), std::string::npos) << message;
  EXPECT_EQ(single.groups()[0].lr, 1e-3);
}

/// The state of a parameter follows its name, whatever its number.
TEST(Checkpoint, StatesFollowNames) {
  const testing::TemporaryDirectory directory;
  const auto path = directory / "checkpoint";
  const Variable<float> a(Tensor<float>::from_values({1, 2}), true);
  const Variable<float> b(Tensor<float>::from_values({3, 4}), true);
  a.set_grad(Tensor<float>::from_values({1, 1}));
  Adam<float> saved({a, b});
  saved.step();  // b has no state yet
  b.set_grad(Tensor<float>::from_values({5, 5}));
  saved.step();
  const NamedParameters<float> named = {{"one", a}, {"two", b}};
  save_checkpoint(path, named, saved);
  const NamedParameters<float> swapped = {{"two", b}, {"one", a}};
  Adam<float> other({b, a});
  load_checkpoint(path, swapped, other);
  other.save(directory / "states");
  const StateEntries file(directory / "states");
  const auto updates = std::get<Tensor<std::int64_t>>(file.entries.at("updates")).values();
  EXPECT_EQ(updates, (std::vector<std::int64_t>{1, 2}));
  EXPECT_FLOAT_EQ(std::get<Tensor<float>>(file.entries.at("0.0.m")).values()[0], 0.5F);
}

/// Loads a changed checkpoint, which must be refused with these words and change nothing.
class Refusal {
 public:
  Refusal() {
    train(*net_, adam_, 2);
    save_checkpoint(path_, net_->named_parameters(), adam_);
    train(*net_, adam_, 1);
    adam_.groups()[0].lr = 0.25;
    save_checkpoint(now_, net_->named_parameters(), adam_);
  }
  template <class Change>
  void expect(const std::vector<std::string>& words, const Change& change) {
    StateEntries file(path_);
    change(file);
    file.save(changed_);
    const auto message =
        testing::io_error_of([&] { load_checkpoint(changed_, net_->named_parameters(), adam_); });
    for (const std::string& word : words)
      EXPECT_NE(message.find(word), std::string::npos) << word << ": " << message;
    save_checkpoint(changed_, net_->named_parameters(), adam_);
    EXPECT_EQ(testing::content_of(changed_), testing::content_of(now_));
  }
  void expect_whole() { load_checkpoint(path_, net_->named_parameters(), adam_); }

 private:
  testing::TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_ / "checkpoint";
  std::filesystem::path changed_ = directory_ / "changed";
  std::filesystem::path now_ = directory_ / "now";
  std::shared_ptr<nn::Sequential<float, 2>> net_ = model<float, 2>(1);
  Adam<float, 2> adam_{net_->parameters()};
};

TEST(Checkpoint, RefusalsNameTheParameter) {
  Refusal refusal;
  refusal.expect({"missing: 0.weight", "foreign: other.weight"},
                 [](auto& file) { file.rename("model.0.weight", "model.other.weight"); });
  refusal.expect({"of another shape: 2.bias ((8,) in the file, (2, 2) expected)"},
                 [](auto& file) { file.lengthen("model.2.bias"); });
  refusal.expect({"model.2.bias"}, [](auto& file) { file.retype("model.2.bias"); });
  refusal.expect({"model.0.bias", "nan"}, [](auto& file) {
    file.set_first("model.0.bias", std::numeric_limits<double>::quiet_NaN());
  });
  refusal.expect({"optimizer.2.weight.m"},
                 [](auto& file) { file.entries.erase("optimizer.2.weight.m"); });
  refusal.expect({"optimizer.2.weight.v"},
                 [](auto& file) { file.lengthen("optimizer.2.weight.v"); });
  refusal.expect({"optimizer.0.bias.v", "at least 0"},
                 [](auto& file) { file.set_first("optimizer.0.bias.v", -1); });
  refusal.expect({"optimizer.x.m"},
                 [](auto& file) { file.entries.emplace("optimizer.x.m", Tensor<float>({1})); });
  refusal.expect({"beta2 1.5"}, [](auto& file) { file.set_first("option.beta2", 1.5); });
  refusal.expect({"decay_mode 7"}, [](auto& file) { file.set_first("option.decay_mode", 7); });
  refusal.expect({"amsgrad 0.5"}, [](auto& file) { file.set_first("option.amsgrad", 0.5); });
  refusal.expect({"option.eps"}, [](auto& file) { file.entries.erase("option.eps"); });
  refusal.expect({"rates"}, [](auto& file) { file.set_first("rates", -1); });
  refusal.expect({"different rates"}, [](auto& file) { file.set_first("rates", 3); });
  refusal.expect({"its optimizer is 'SGD', expected 'Adam'"},
                 [](auto& file) { file.metadata["mctensor.optimizer"] = "SGD"; });
  refusal.expect({"its checkpoint is missing"},
                 [](auto& file) { file.metadata.erase("mctensor.checkpoint"); });
  refusal.expect_whole();
}

TEST(Checkpoint, OfAnotherModelIsRefused) {
  const testing::TemporaryDirectory directory;
  const auto path = directory / "checkpoint";
  const auto a = model<float, 1>(1);
  McAdamW<bfloat16> saved(a->parameters(), Strategy::plus);
  train(*a, saved, 1);
  save_checkpoint(path, a->named_parameters(), saved);
  const auto b = model<float, 1>(1, 6);
  McAdamW<bfloat16> other(b->parameters(), Strategy::plus);
  const auto shape =
      testing::io_error_of([&] { load_checkpoint(path, b->named_parameters(), other); });
  EXPECT_NE(shape.find("0.weight ((5, 3) in the file, (6, 3) expected), 0.bias"), std::string::npos)
      << shape;
  McAdamW<bfloat16> strategy(a->parameters(), Strategy::master);
  const auto message =
      testing::io_error_of([&] { load_checkpoint(path, a->named_parameters(), strategy); });
  EXPECT_NE(message.find("its strategy is 'plus', expected 'master'"), std::string::npos)
      << message;
  // a parameter that the optimizer has and the model has not
  const auto unnamed = testing::message_of<DomainError>(
      [&] { save_checkpoint(path, b->named_parameters(), saved); });
  EXPECT_NE(unnamed.find("parameter 0 of the optimizer is not in the model"), std::string::npos)
      << unnamed;
}

}  // namespace
}  // namespace mct::test
