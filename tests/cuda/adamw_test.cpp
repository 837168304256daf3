// The AdamW program beside the library's step: bfloat16, and float for Strategy::full; and lists of
// arrays, whose steps start it, on a simulated device.
#include "cuda/optim/start_adamw.hpp"
#include "mctensor/c_api.h"
#include "mctensor/device/memory.hpp"
#include "mctensor/optim/clip_factor.hpp"
#include "mctensor/optim/device_mc_adamw.hpp"
#include "mctensor/optim/mc_adamw.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/cuda/adamw_cases.hpp"
#include "tests/cuda/adamw_there.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/files.hpp"

namespace mct::cuda {

template void start_adamw<bfloat16>(const AdamWLaunch&, const Stream&);
template void start_adamw<float>(const AdamWLaunch&, const Stream&);
template <>
void start_adamw<half>(const AdamWLaunch&, const Stream&) {
  throw std::logic_error("programs of half are in another test");
}

}  // namespace mct::cuda

namespace {

using namespace mct::cuda;
using namespace mct::cuda::testing;
using mct::bfloat16;
using Cases = AdamWCases<bfloat16>;

TEST(CudaAdamW, IsTheHostsStep) { Cases::usual(); }
TEST(CudaAdamW, IsTheHostsStepWithMetrics) { Cases::measured(); }
TEST(CudaAdamW, MeasuresTheHostsSample) { Cases::sampled(); }
TEST(CudaAdamW, IsTheHostsStepInStrictArithmetic) { Cases::strict(); }
TEST(CudaAdamW, IsTheHostsStepWhereSomethingIsRare) { Cases::rare(); }
TEST(CudaAdamW, KeepsWhatHasNoFiniteGradient) { Cases::kept(); }
TEST(CudaAdamW, IsTheHostsStepOfExtremeWeights) { Cases::extreme_weights(); }
TEST(CudaAdamW, NoticesEditedWeightsAsTheHost) { Cases::edited(); }

TEST(CudaAdamW, SkipsWhatItIsToldTo) {
  AdamWOptions options;
  options.metrics = true;
  Pair<bfloat16> pair(Strategy::plus, 9);
  pair.draw_gradients();
  GridStep grid;
  grid.skip = true;
  const auto totals = step_of<bfloat16>(pair.device, options, 1, grid);
  EXPECT_EQ(pair.host.difference(pair.device), "");
  EXPECT_EQ(totals.count[AdamWQuantity::measured], 0);
}

TEST(CudaAdamW, HasNoProgramForWhatIsNotDefined) {
  const auto none = [](auto) {};
  EXPECT_FALSE(with_adamw<mct::half>({Strategy::split16}, none));
  EXPECT_FALSE(with_adamw<bfloat16>({Strategy::full}, none));
  EXPECT_FALSE(with_adamw<bfloat16>({Strategy::residual, true}, none));
  EXPECT_TRUE(with_adamw<float>({Strategy::full}, none));
}

TEST(CudaAdamW, RefusesPlacesThatAThreadCannotRead) {
  using mct::testing::message_of;
  std::vector<mct::optim::AdamWMemory> list(1, Pair<bfloat16>(Strategy::light, 1).host.memory()[5]);
  const auto message = [&] {
    return message_of<mct::DomainError>([&] { check_places(Strategy::light, list); });
  };
  EXPECT_EQ(message(), "");
  list[0].first = 5;
  EXPECT_EQ(message(), "");
  list[0].first = std::int64_t(1) << 42;
  EXPECT_EQ(message(),
            "AdamW: tensor 0: first 4398046511104 and count 5003 together are above 2^42");
  list[0].first = 0;
  list[0].m = static_cast<char*>(list[0].m) + 1;
  EXPECT_EQ(message(), "AdamW: tensor 0: m does not begin at a multiple of 2 bytes");
}

std::string error_of(const std::vector<Tensors::Size>& sizes, const Faults& faults = {}) {
  AdamWOptions options;
  options.metrics = true;
  Pair<bfloat16> pair(Strategy::plus, 9, sizes);
  pair.draw_gradients();
  GridStep grid;
  grid.how.faults = faults;
  return mct::testing::message_of<SimulationError>(
      [&] { step_of<bfloat16>(pair.device, options, 1, grid); });
}

TEST(CudaAdamW, FaultsAreFound) {
  EXPECT_EQ(error_of(odd_sizes), "");
  EXPECT_NE(error_of(odd_sizes, Faults::without_barrier(0)), "");
  EXPECT_EQ(error_of({{100, 4}}), "");  // which no thread reads eight at a time
}

const std::vector<Tensors::Size> two_tensors = {{300, 128}, {0, 0}, {2100, 2048}};

void expect_equal_reports(const mct::optim::StepReport& got, const mct::optim::StepReport& want) {
  EXPECT_EQ(got.elements, want.elements);
  EXPECT_EQ(got.skipped, want.skipped);
  AdamWTotals totals;
  using Q = AdamWQuantity;
  totals.count[Q::measured] = got.measured;
  totals.count[Q::updates] = got.updates;
  totals.count[Q::lost_updates] = got.lost_updates;
  totals.count[Q::v_updates] = got.v_updates;
  totals.count[Q::lost_v_updates] = got.lost_v_updates;
  totals.count[Q::nonfinite] = got.nonfinite;
  totals.sum[Q::update_squared] = got.update_squared;
  totals.sum[Q::effective_squared] = got.effective_squared;
  totals.sum[Q::update_times_effective] = got.update_times_effective;
  expect_report(totals, want);
}

TEST(CudaAdamWList, StepsAreTheHosts) {
  for (const Strategy strategy : {Strategy::plus, Strategy::split8, Strategy::full}) {
    SCOPED_TRACE(to_string(strategy));
    const bool amsgrad = strategy == Strategy::plus;
    Pair<bfloat16> pair(strategy, 3, two_tensors, amsgrad);
    pair.draw_gradients();
    const ArraysThere there(pair.device);
    AdamWList list(strategy, Format::bfloat16, there.list());
    EXPECT_EQ(list.size(), 3U);
    AdamWOptions options;
    options.metrics = true;
    options.lr = 1e-20;  // squares of updates are scaled
    options.metric_sample = strategy == Strategy::split8 ? 2 : 1;
    const double norm =
        mct::optim_detail::gradient_norm(strategy, Format::bfloat16, pair.host.memory(), {});
    for (int step = 1; step <= 2; ++step) {
      const double most = step == 1 ? AdamWList::no_limit : norm / 3;
      list.step(options, step, most);
      const auto report = list.report();
      AdamWOptions clipped = options;
      clipped.grad_scale = mct::optim::clip_factor(norm, most);
      const auto want =
          mct::optim::adamw_step(strategy, Format::bfloat16, pair.host.memory(), clipped, step);
      EXPECT_EQ(pair.host.difference(there.fetch()), "") << step;
      expect_equal_reports(report, want);
      EXPECT_NEAR(report.grad_norm, norm, 1e-14 * norm);
    }
  }
}

TEST(CudaAdamWList, GradientsThatAreNotFiniteSkipTheStep) {
  Pair<bfloat16> pair(Strategy::light, 3, two_tensors);
  pair.draw_gradients();
  pair.host.set_gradient(2, 2099, std::numeric_limits<float>::infinity());
  pair.copy_gradients();
  const ArraysThere there(pair.device);
  AdamWOptions options;
  options.metrics = true;
  const auto report =
      adamw_step(Strategy::light, Format::bfloat16, there.list(), options, 1, default_stream());
  expect_equal_reports(report, mct::optim::adamw_step(Strategy::light, Format::bfloat16,
                                                      pair.host.memory(), options, 1));
  EXPECT_TRUE(report.skipped);
  EXPECT_EQ(pair.host.difference(there.fetch()), "");
}

TEST(CudaAdamWList, TheScaleOfLossesIsTheSteps) {
  Pair<bfloat16> pair(Strategy::plain, 3, {{40, 0}});
  pair.draw_gradients();
  const ArraysThere there(pair.device);
  AdamWList list(Strategy::plain, Format::bfloat16, there.list());
  EXPECT_EQ(list.loss_scale_data(), nullptr);
  EXPECT_THROW(list.loss_scale(), mct::DomainError);
  list.scale_loss({.init_scale = 64, .growth_factor = 4, .growth_interval = 1});
  AdamWOptions options;
  list.step(options, 1);
  EXPECT_FALSE(list.report().skipped);
  options.grad_scale = 1.0 / 64;
  mct::optim::adamw_step(Strategy::plain, Format::bfloat16, pair.host.memory(), options, 1);
  EXPECT_EQ(pair.host.difference(there.fetch()), "");
  EXPECT_EQ(list.loss_scale().scale, 256);
  EXPECT_NE(list.loss_scale_data(), nullptr);
  list.scale_loss({.init_scale = 1e60});
  list.step({}, 2);
  EXPECT_THROW(list.report(), mct::DomainError);
  EXPECT_EQ(pair.host.difference(there.fetch()), "");
}

TEST(CudaAdamWList, BadArgumentsAreNamed) {
  using mct::testing::message_of;
  Pair<bfloat16> pair(Strategy::light, 3, two_tensors);
  const ArraysThere there(pair.device);
  AdamWList list(Strategy::light, Format::bfloat16, there.list());
  const auto message = [](const auto& call) { return message_of<mct::DomainError>(call); };
  EXPECT_EQ(message([&] { list.step({}, 0); }), "AdamW: step 0 is not at least 1");
  EXPECT_EQ(message([&] { list.step({}, 1, 0); }), "max_norm 0 is not positive");
  EXPECT_NE(message([&] { list.step({.lr = 1e300}, 1); }), "");
  const std::vector<const void*> one(1), nulls(3);
  EXPECT_EQ(message([&] { list.set_gradients(one); }), "AdamW: 1 gradients for 3 tensors");
  EXPECT_EQ(message([&] { list.set_gradients(nulls); }),
            "tensor 0: AdamW: light needs the array grad");
  auto memory = there.list();
  memory[2].m = static_cast<char*>(memory[2].m) + 1;
  EXPECT_EQ(message([&] { AdamWList(Strategy::light, Format::bfloat16, memory); }),
            "AdamW: tensor 2: m does not begin at a multiple of 2 bytes");
  memory[2].m = memory[0].m;
  EXPECT_EQ(message([&] { AdamWList(Strategy::light, Format::bfloat16, memory); }),
            "AdamW: m of tensor 0 and m of tensor 2 overlap");
}

/// The list of C.
std::vector<mct_adamw_memory> list_of_c(const ArraysThere& there) {
  std::vector<mct_adamw_memory> list;
  for (const AdamWMemory& m : there.list())
    list.push_back({m.theta, m.low, m.m, m.v, m.v_low, m.v_max, m.grad, m.count, m.first, m.marks});
  return list;
}

TEST(CudaAdamWInC, StepsAreThoseOfCpp) {
  Pair<bfloat16> pair(Strategy::plus, 3, {{40, 0}, {17, 128}});
  pair.draw_gradients();
  const ArraysThere there(pair.device);
  const auto list = list_of_c(there);
  mct_adamw_options options;
  mct_adamw_default_options(&options);
  void* const stream = default_stream().handle();
  mct_cuda_adamw* steps = nullptr;
  ASSERT_EQ(mct_cuda_adamw_create("plus", MCT_BFLOAT16, list.data(), 2, 0, stream, &steps), MCT_OK)
      << mct_last_error();
  ASSERT_EQ(mct_cuda_adamw_step(steps, &options, 1, HUGE_VAL), MCT_OK) << mct_last_error();
  mct_adamw_report report;
  double norm = 0;
  ASSERT_EQ(mct_cuda_adamw_report(steps, &report, &norm), MCT_OK) << mct_last_error();
  EXPECT_EQ(report.elements, 57);
  EXPECT_GT(norm, 0);
  EXPECT_EQ(mct_cuda_adamw_step(steps, &options, 0, HUGE_VAL), MCT_BAD_ARGUMENT);
  EXPECT_STREQ(mct_last_error(), "AdamW: step 0 is not at least 1");
  mct_cuda_adamw_destroy(steps);
  mct_cuda_adamw_destroy(nullptr);
  ASSERT_EQ(mct_cuda_adamw_step_many("plus", MCT_BFLOAT16, list.data(), 2, &options, 2, norm / 2, 0,
                                     stream, nullptr),
            MCT_OK)
      << mct_last_error();
  AdamWOptions same;
  mct::optim::adamw_step(Strategy::plus, Format::bfloat16, pair.host.memory(), same, 1);
  same.grad_scale = 0.5;
  mct::optim::adamw_step(Strategy::plus, Format::bfloat16, pair.host.memory(), same, 2);
  EXPECT_EQ(pair.host.difference(there.fetch()), "");
}

TEST(CudaAdamWInC, DevicesAreCounted) {
  int count = 0;
  EXPECT_EQ(mct_cuda_device_count(&count), MCT_OK);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(mct_cuda_device_count(nullptr), MCT_BAD_ARGUMENT);
  mct_cuda_adamw* steps = nullptr;
  EXPECT_EQ(mct_cuda_adamw_create("plus", MCT_BFLOAT16, nullptr, 0, 2, nullptr, &steps),
            MCT_NO_DEVICE);
  EXPECT_STREQ(mct_last_error(), "there is no device 2, only 0 to 1");
}

/// The host's optimizer and the device's with the same weights and gradients.
template <class T>
void expect_same_training(Strategy strategy) {
  SCOPED_TRACE(to_string(strategy));
  AdamWOptions options;
  options.lr = 0.01;
  options.seed = 7;
  std::vector<mct::Variable<T>> variables;
  std::vector<mct::cuda::DeviceTensor<T>> there, gradients, others;
  for (const mct::Shape& shape : {mct::Shape{20, 9}, mct::Shape{150}}) {
    const auto draw = [&](std::uint64_t seed) {
      return mct::convert<T, 1>(mct::randn<float, 1>(shape, seed));
    };
    const auto weights = draw(1);
    there.push_back(to_device(weights));
    gradients.push_back(to_device(draw(2)));
    others.push_back(to_device(draw(3)));
    variables.emplace_back(weights, true);
  }
  mct::optim::McAdamW<bfloat16, T> host(variables, strategy, options);
  McAdamW<T> device(there, gradients, strategy, options);
  for (int step = 1; step <= 2; ++step) {
    for (std::size_t i = 0; i < there.size(); ++i)
      variables[i].set_grad(to_host(step == 1 ? gradients[i] : others[i]));
    if (step == 2) device.set_gradients(others);
    host.step();
    device.step();
    EXPECT_FALSE(device.report().skipped);
  }
  EXPECT_EQ(device.steps(), 2);
  for (std::size_t i = 0; i < there.size(); ++i) {
    EXPECT_EQ(device.exact_value(i).values(), host.exact_value(i).values());
    EXPECT_EQ(to_host(there[i]).values(), variables[i].value().values());
  }
  // its file is the host's, from which another one goes on
  const mct::testing::TemporaryDirectory directory;
  device.save(directory / "device");
  host.save(directory / "host");
  using mct::testing::bytes_of;
  EXPECT_TRUE(bytes_of(directory / "device") == bytes_of(directory / "host"));
  std::vector<mct::cuda::DeviceTensor<T>> zeros;
  for (const auto& variable : variables)
    zeros.push_back(to_device(mct::zeros<T>(variable.shape())));
  McAdamW<T> again(zeros, others, strategy);
  again.load(directory / "host");
  EXPECT_EQ(again.steps(), 2);
  again.options() = options;
  for (auto* const optimizer : {&device, &again}) optimizer->step();
  for (std::size_t i = 0; i < there.size(); ++i)
    EXPECT_EQ(again.exact_value(i).values(), device.exact_value(i).values());
  variables[0].zero_grad();
  host.step();
  host.save(directory / "different");
  const auto refused =
      mct::testing::message_of<mct::IoError>([&] { again.load(directory / "different"); });
  EXPECT_TRUE(mct::testing::contains(refused, "entry 'updates' holds different counts")) << refused;
  EXPECT_EQ(again.steps(), 3);
}

TEST(CudaMcAdamW, TrainsAsTheHosts) {
  expect_same_training<bfloat16>(Strategy::residual_states);
  expect_same_training<bfloat16>(Strategy::split8);
  expect_same_training<float>(Strategy::full);
}

TEST(CudaMcAdamW, SkippedStepsDoNotCount) {
  const auto weights = to_device(mct::convert<bfloat16, 1>(mct::randn<float, 1>({8}, 1)));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto gradients = to_device(mct::convert<bfloat16, 1>(mct::full<float>({8}, nan)));
  McAdamW<bfloat16> optimizer({weights}, {gradients}, Strategy::light);
  optimizer.step();
  EXPECT_EQ(optimizer.steps(), 1);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(optimizer.report().skipped);
    EXPECT_EQ(optimizer.steps(), 0);
  }
}

TEST(CudaMcAdamW, ValuesAreExactAndErrorsNamed) {
  using mct::testing::message_of;
  const auto weights = to_device(mct::zeros<bfloat16>({3}));
  const auto gradients = to_device(mct::zeros<bfloat16>({3}));
  McAdamW<bfloat16> optimizer({weights}, {gradients}, Strategy::split16);
  const auto value = mct::randn<float, 1>({3}, 5);
  optimizer.set_value(0, value);
  EXPECT_EQ(optimizer.exact_value(0).values(), value.values());
  EXPECT_EQ(to_host(weights).values(), (mct::convert<bfloat16, 1>(value).values()));
  EXPECT_EQ(message_of<mct::ShapeError>([&] {
              optimizer.set_value(0, value.reshape({1, 3}));
            }),
            "McAdamW: a value of shape (1, 3) for a parameter of shape (3,)");
  EXPECT_EQ(message_of<mct::ShapeError>([&] { optimizer.set_gradients({}); }),
            "McAdamW: 0 gradients for 1 parameters");
  EXPECT_EQ(message_of<mct::ShapeError>([&] {
              optimizer.set_gradients({gradients.reshape({1, 3})});
            }),
            "McAdamW: a gradient of shape (1, 3) for a parameter of shape (3,)");
  EXPECT_EQ(message_of<mct::DomainError>(
                [&] { McAdamW<bfloat16>({weights}, {gradients}, Strategy::full); }),
            "McAdamW: tensors of 16-bit numbers cannot be the weights of full");
}

}  // namespace
