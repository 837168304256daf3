// The C interface does what the C++ one does.
#include "mctensor/c_api.h"

#include <limits>

#include "mctensor/optim/weights.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/files.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

mct_adamw_memory memory_of(Parameters& parameters) {
  const auto p = parameters.all();
  return {p.theta, p.low, p.m, p.v, p.v_low, nullptr, p.grad, p.count, p.first, p.marks};
}

TEST(CApi, TellsItsVersion) {
  EXPECT_STREQ(mct_version(), MCT_VERSION);
  const std::string parts = std::to_string(MCT_VERSION_MAJOR) + '.' +
                            std::to_string(MCT_VERSION_MINOR) + '.' +
                            std::to_string(MCT_VERSION_PATCH);
  EXPECT_EQ(mct_version(), parts);
}

TEST(CApi, StepsLikeCpp) {
  std::mt19937_64 random(1);
  for (const optim::Strategy strategy : optim::all_strategies()) {
    const std::string name = to_string(strategy);
    SCOPED_TRACE(name);
    Parameters a(strategy, optim::Format::bfloat16, 300);
    a.randomize(random);
    Parameters b = a;
    optim::AdamWOptions o;
    o.metrics = true;
    o.lr = 0.01;
    const auto expected = adamw_step(strategy, optim::Format::bfloat16, a.all(), o, 3);
    mct_adamw_options options;
    mct_adamw_default_options(&options);
    options.lr = 0.01;
    options.metrics = 1;
    const mct_adamw_memory memory = memory_of(b);
    mct_adamw_report report;
    ASSERT_EQ(mct_adamw_step(name.c_str(), MCT_BFLOAT16, &memory, &options, 3, &report), MCT_OK);
    EXPECT_TRUE(a == b);
    EXPECT_EQ(report.updates, expected.updates);
    EXPECT_EQ(report.update_squared, expected.update_squared);
    mct_adamw_layout layout;
    ASSERT_EQ(mct_adamw_layout_of(name.c_str(), &layout), MCT_OK);
    EXPECT_EQ(layout.low, std::int64_t(a.layout.low));
    EXPECT_EQ(layout.grad, std::int64_t(a.layout.grad));
  }
}

TEST(CApi, ErrorsAreReturned) {
  mct_adamw_options options;
  mct_adamw_default_options(&options);
  mct_adamw_memory memory = {};
  memory.count = 1;
  EXPECT_EQ(mct_adamw_step("light", MCT_BFLOAT16, &memory, &options, 1, nullptr), MCT_BAD_ARGUMENT);
  EXPECT_NE(std::string(mct_last_error()).find("theta"), std::string::npos);
  EXPECT_EQ(mct_adamw_step("nonsense", MCT_BFLOAT16, &memory, &options, 1, nullptr),
            MCT_BAD_ARGUMENT);
  EXPECT_NE(std::string(mct_last_error()).find("nonsense"), std::string::npos);
  EXPECT_EQ(mct_adamw_step("light", 7, &memory, &options, 1, nullptr), MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_adamw_step("light", MCT_BFLOAT16, nullptr, &options, 1, nullptr), MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_adamw_step(nullptr, MCT_BFLOAT16, &memory, &options, 1, nullptr), MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_adamw_layout_of("light", nullptr), MCT_BAD_ARGUMENT);
  memory.count = 0;
  EXPECT_EQ(mct_adamw_step("light", MCT_BFLOAT16, &memory, &options, 1, nullptr), MCT_OK);
}

TEST(CApi, AStructureOfZerosIsRefused) {
  Parameters p(optim::Strategy::light, optim::Format::bfloat16, 10);
  const mct_adamw_memory memory = memory_of(p);
  const mct_adamw_options zeros = {};
  EXPECT_EQ(mct_adamw_step("light", MCT_BFLOAT16, &memory, &zeros, 1, nullptr), MCT_BAD_ARGUMENT);
  EXPECT_TRUE(testing::contains(mct_last_error(), "grad_scale 0")) << mct_last_error();
}

/// What used to give NaN with no word of it.
TEST(CApi, ALearningRateThatFloatCannotHoldIsRefused) {
  std::mt19937_64 random(1);
  Parameters p(optim::Strategy::light, optim::Format::bfloat16, 10);
  p.randomize(random);
  const Parameters before = p;
  const mct_adamw_memory memory = memory_of(p);
  mct_adamw_options options;
  mct_adamw_default_options(&options);
  options.lr = 1e300;
  EXPECT_EQ(mct_adamw_step("light", MCT_BFLOAT16, &memory, &options, 1, nullptr), MCT_BAD_ARGUMENT);
  EXPECT_TRUE(testing::contains(mct_last_error(), "lr 1e+300 is infinite in float"));
  EXPECT_TRUE(p == before);
}

/// Tensors of several sizes at positions of their own, and their memory.
struct ManyTensors {
  std::vector<Parameters> tensors;
  std::vector<mct_adamw_memory> memories;

  explicit ManyTensors(optim::Strategy strategy) {
    std::mt19937_64 random(5);
    for (const std::size_t count : {1000, 1, 0, 130, 70000})
      tensors.emplace_back(strategy, optim::Format::bfloat16, count).randomize(random);
    std::int64_t first = 0;
    for (auto& tensor : tensors) {
      memories.push_back(memory_of(tensor));
      memories.back().first = first;
      first += std::int64_t(tensor.count + 127) / 128 * 128;
    }
  }
  int step(const char* strategy, mct_adamw_report* report) const {
    mct_adamw_options options;
    mct_adamw_default_options(&options);
    options.metrics = 1;
    return mct_adamw_step_many(strategy, MCT_BFLOAT16, memories.data(),
                               std::int64_t(memories.size()), &options, 1, report);
  }
};

TEST(CApi, AStepOfManyIsOneOfEach) {
  for (const optim::Strategy strategy : optim::all_strategies()) {
    const std::string name = to_string(strategy);
    ManyTensors together(strategy);
    ManyTensors apart(strategy);
    mct_adamw_report report;
    ASSERT_EQ(together.step(name.c_str(), &report), MCT_OK) << mct_last_error();
    mct_adamw_options options;
    mct_adamw_default_options(&options);
    options.metrics = 1;
    std::int64_t updates = 0;
    double squares = 0;
    for (const auto& memory : apart.memories) {
      mct_adamw_report part;
      ASSERT_EQ(mct_adamw_step(name.c_str(), MCT_BFLOAT16, &memory, &options, 1, &part), MCT_OK);
      updates += part.updates;
      squares += part.update_squared;
    }
    EXPECT_TRUE(together.tensors == apart.tensors) << name;
    EXPECT_EQ(report.elements, 71131);
    EXPECT_EQ(report.updates, updates);
    EXPECT_NEAR(report.update_squared, squares, 1e-12 * squares);
    EXPECT_EQ(report.skipped, 0);
  }
}

TEST(CApi, AStepOfManyIsSkippedAsAWhole) {
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    ManyTensors many(optim::Strategy::residual);
    many.tensors[1].set_grad(0, bad);
    many.tensors[4].set_grad(69999, bad);
    const auto before = many.tensors;
    mct_adamw_report report;
    ASSERT_EQ(many.step("residual", &report), MCT_OK);
    EXPECT_EQ(report.skipped, 1);
    EXPECT_EQ(report.nonfinite, 2);
    EXPECT_EQ(report.elements, 71131);
    EXPECT_EQ(report.updates, 0);
    EXPECT_TRUE(many.tensors == before);
  }
}

TEST(CApi, AStepOfManyNamesTheTensor) {
  ManyTensors many(optim::Strategy::light);
  const auto before = many.tensors;
  many.memories[3].low = nullptr;
  EXPECT_EQ(many.step("light", nullptr), MCT_BAD_ARGUMENT);
  EXPECT_TRUE(testing::contains(mct_last_error(), "tensor 3: AdamW: light needs the array low"))
      << mct_last_error();
  many.memories[3].low = many.memories[4].m;
  EXPECT_EQ(many.step("light", nullptr), MCT_BAD_ARGUMENT);
  const std::string message = mct_last_error();
  EXPECT_TRUE(testing::contains(message, "m of tensor 4") &&
              testing::contains(message, "low of tensor 3"))
      << message;
  EXPECT_TRUE(many.tensors == before);
  mct_adamw_options options;
  mct_adamw_default_options(&options);
  EXPECT_EQ(mct_adamw_step_many("light", MCT_BFLOAT16, nullptr, 2, &options, 1, nullptr),
            MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_adamw_step_many("light", MCT_BFLOAT16, nullptr, -1, &options, 1, nullptr),
            MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_adamw_step_many("light", MCT_BFLOAT16, nullptr, 0, &options, 1, nullptr), MCT_OK);
  // several tensors may have the same gradient
  ManyTensors shared(optim::Strategy::light);
  shared.memories[1].grad = shared.memories[0].grad;
  EXPECT_EQ(shared.step("light", nullptr), MCT_OK) << mct_last_error();
}

/// A count that no list has is a wrong argument, not a lack of memory.
TEST(CApi, CountsOfListsAreChecked) {
  mct_adamw_options options;
  mct_adamw_default_options(&options);
  const mct_adamw_memory memory = {};
  const mct_gradient gradient = {nullptr, 0};
  double norm = 0;
  std::int64_t count = 0;
  const auto expect_named = [](int code, std::int64_t tensors) {
    EXPECT_EQ(code, MCT_BAD_ARGUMENT);
    EXPECT_TRUE(testing::contains(mct_last_error(), std::to_string(tensors))) << mct_last_error();
  };
  for (const std::int64_t tensors :
       {std::numeric_limits<std::int64_t>::max(), (std::int64_t(1) << 40) + 1, std::int64_t(-1)}) {
    expect_named(mct_adamw_step_many("plus", MCT_BFLOAT16, &memory, tensors, &options, 1, nullptr),
                 tensors);
    expect_named(mct_grad_norm(MCT_FLOAT32, &gradient, tensors, &norm), tensors);
    expect_named(mct_grad_multiply(MCT_FLOAT32, &gradient, tensors, 2), tensors);
    expect_named(mct_grad_count_nonfinite(MCT_FLOAT32, &gradient, tensors, &count), tensors);
  }
}

TEST(CApi, WeightsGoInAndComeBack) {
  const std::vector<float> weights = {1, 0.3F, -1e-3F, 12345.678F};
  std::vector<std::uint16_t> theta(4);
  std::vector<std::uint16_t> low(4);
  mct_adamw_memory memory = {};
  memory.theta = theta.data();
  memory.low = low.data();
  memory.count = 4;
  std::vector<float> back(4);
  for (const char* strategy : {"split16", "split16-stochastic", "split16-plus"}) {
    ASSERT_EQ(mct_adamw_set_weights(strategy, MCT_BFLOAT16, weights.data(), &memory), MCT_OK);
    ASSERT_EQ(mct_adamw_get_weights(strategy, MCT_BFLOAT16, &memory, back.data()), MCT_OK);
    EXPECT_EQ(back, weights);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(std::bit_cast<std::uint32_t>(weights[i]),
                theta[i] * 65536U + std::uint32_t(std::int16_t(low[i])));
  }
  std::vector<float> high(4);
  ASSERT_EQ(mct_to_float(MCT_BFLOAT16, theta.data(), high.data(), 4), MCT_OK);
  EXPECT_NEAR(high[3], weights[3], 0x1p-8F * weights[3]);
  std::vector<std::uint16_t> again(4);
  ASSERT_EQ(mct_from_float(MCT_BFLOAT16, weights.data(), again.data(), 4), MCT_OK);
  EXPECT_EQ(again, theta);
  EXPECT_EQ(mct_adamw_set_weights("split16", MCT_FLOAT16, weights.data(), &memory),
            MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_adamw_set_weights("split16", MCT_BFLOAT16, nullptr, &memory), MCT_BAD_ARGUMENT);
  EXPECT_TRUE(testing::contains(mct_last_error(), "weights is null")) << mct_last_error();
}

/// Gradients of the tensors in one type, and their norm in long double.
template <class T>
void expect_gradient_functions(int type) {
  std::mt19937_64 random(3);
  std::normal_distribution<float> normal;
  std::vector<std::vector<T>> tensors;
  long double squares = 0;
  for (const std::size_t count : {100001, 0, 17, 65536}) {
    auto& tensor = tensors.emplace_back(count);
    for (T& x : tensor) {
      x = T(normal(random));
      squares += static_cast<long double>(double(x)) * static_cast<long double>(double(x));
    }
  }
  std::vector<mct_gradient> gradients;
  for (auto& tensor : tensors) gradients.push_back({tensor.data(), std::int64_t(tensor.size())});
  const auto count = std::int64_t(gradients.size());
  double norm = 0;
  ASSERT_EQ(mct_grad_norm(type, gradients.data(), count, &norm), MCT_OK);
  const auto expected = double(std::sqrt(squares));
  EXPECT_NEAR(norm, expected, 1e-14 * expected);
  const int threads = num_threads();
  for (const int other : {1, 2, 5}) {
    set_num_threads(other);
    double again = 0;
    ASSERT_EQ(mct_grad_norm(type, gradients.data(), count, &again), MCT_OK);
    EXPECT_EQ(again, norm) << other << " threads";
  }
  set_num_threads(threads);

  std::int64_t bad = -1;
  ASSERT_EQ(mct_grad_count_nonfinite(type, gradients.data(), count, &bad), MCT_OK);
  EXPECT_EQ(bad, 0);
  double factor = 0;
  ASSERT_EQ(mct_clip_factor(norm, 2, &factor), MCT_OK);
  const T before = tensors[3][65535];
  ASSERT_EQ(mct_grad_multiply(type, gradients.data(), count, factor), MCT_OK);
  EXPECT_EQ(float(tensors[3][65535]), float(T(float(before) * float(factor))));
  ASSERT_EQ(mct_grad_norm(type, gradients.data(), count, &norm), MCT_OK);
  EXPECT_NEAR(norm, 2, 0.01);

  tensors[0][100000] = T(std::numeric_limits<float>::infinity());
  tensors[0][5] = T(-std::numeric_limits<float>::infinity());
  tensors[3][1] = T(std::nanf(""));
  ASSERT_EQ(mct_grad_count_nonfinite(type, gradients.data(), count, &bad), MCT_OK);
  EXPECT_EQ(bad, 3);
  ASSERT_EQ(mct_grad_norm(type, gradients.data(), count, &norm), MCT_OK);
  EXPECT_FALSE(std::isfinite(norm));
}

TEST(CApi, GradientsOfEveryType) {
  expect_gradient_functions<float>(MCT_FLOAT32);
  expect_gradient_functions<bfloat16>(MCT_BFLOAT16);
  expect_gradient_functions<half>(MCT_FLOAT16);
}

TEST(CApi, ClipFactors) {
  const auto factor = [](double norm, double max_norm) {
    double result = -1;
    EXPECT_EQ(mct_clip_factor(norm, max_norm, &result), MCT_OK);
    return result;
  };
  EXPECT_EQ(factor(4, 1), 0.25);
  EXPECT_EQ(factor(0.5, 1), 1);
  EXPECT_EQ(factor(0, 1), 1);
  EXPECT_EQ(factor(HUGE_VAL, 1), 1);
  EXPECT_EQ(factor(std::nan(""), 1), 1);
  double result;
  EXPECT_EQ(mct_clip_factor(1, 0, &result), MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_clip_factor(1, std::nan(""), &result), MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_clip_factor(1, 1, nullptr), MCT_BAD_ARGUMENT);
}

TEST(CApi, GradientsThatMakeNoSenseAreRefused) {
  std::vector<float> numbers(4);
  mct_gradient gradients[] = {{numbers.data(), 4}, {nullptr, 1}};
  double norm = 0;
  EXPECT_EQ(mct_grad_norm(MCT_FLOAT32, gradients, 2, &norm), MCT_BAD_ARGUMENT);
  EXPECT_TRUE(testing::contains(mct_last_error(), "tensor 1 is null")) << mct_last_error();
  EXPECT_EQ(mct_grad_norm(MCT_FLOAT32, gradients, 1, nullptr), MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_grad_norm(3, gradients, 1, &norm), MCT_BAD_ARGUMENT);
  EXPECT_TRUE(testing::contains(mct_last_error(), "type 3")) << mct_last_error();
  EXPECT_EQ(mct_grad_norm(MCT_FLOAT32, nullptr, 1, &norm), MCT_BAD_ARGUMENT);
  gradients[0].count = -1;
  EXPECT_EQ(mct_grad_norm(MCT_FLOAT32, gradients, 1, &norm), MCT_BAD_ARGUMENT);
  EXPECT_TRUE(testing::contains(mct_last_error(), "count -1")) << mct_last_error();
  gradients[0].count = 4;
  EXPECT_EQ(mct_grad_multiply(MCT_FLOAT32, gradients, 1, std::nan("")), MCT_BAD_ARGUMENT);
  EXPECT_EQ(mct_grad_norm(MCT_FLOAT32, nullptr, 0, &norm), MCT_OK);
  EXPECT_EQ(norm, 0);
}

}  // namespace
}  // namespace mct::test
