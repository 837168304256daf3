// One step of many arrays beside separate steps, and what is done to the gradients of many.
#include "mctensor/autograd/indexing.hpp"
#include "mctensor/autograd/reduce.hpp"
#include "mctensor/error.hpp"
#include "mctensor/optim/gradients.hpp"
#include "mctensor/tensor/all.hpp"
#include "tests/message_of.hpp"
#include "tests/optim/parameters.hpp"

namespace mct::test {
namespace {

using namespace optim;

/// Arrays of sizes from none to several pieces of the loop, at positions of their own.
struct Many {
  std::vector<Parameters> parameters;
  std::vector<AdamWMemory> memory;

  Many(Strategy strategy, Format format) {
    std::mt19937_64 random(5);
    std::int64_t first = 0;
    for (const std::size_t size : {1000, 0, 1, 127, 128, 140000, 300, 2049, 66000, 31}) {
      parameters.emplace_back(strategy, format, size).randomize(random);
      auto part = parameters.back().all();
      part.first = first;
      memory.push_back(part);
      first += (std::int64_t(size) + 127) / 128 * 128;
    }
  }
};

AdamWOptions measured_options() {
  AdamWOptions o;
  o.seed = 3;
  o.metrics = true;
  return o;
}

TEST(ManyArrays, StepAsSeparateCallsDo) {
  for (const Strategy strategy : all_strategies()) {
    SCOPED_TRACE(to_string(strategy));
    Many together(strategy, Format::bfloat16);
    Many apart(strategy, Format::bfloat16);
    for (int t = 1; t <= 2; ++t) {
      const auto report =
          adamw_step(strategy, Format::bfloat16, together.memory, measured_options(), t);
      StepReport sum;
      for (const auto& part : apart.memory)
        sum += adamw_step(strategy, Format::bfloat16, part, measured_options(), t);
      EXPECT_EQ(report.elements, sum.elements);
      EXPECT_EQ(report.measured, sum.measured);
      EXPECT_EQ(report.updates, sum.updates);
      EXPECT_EQ(report.lost_updates, sum.lost_updates);
      EXPECT_NEAR(report.update_squared, sum.update_squared, 1e-12 * sum.update_squared);
    }
    for (std::size_t i = 0; i < apart.memory.size(); ++i)
      ASSERT_TRUE(together.parameters[i] == apart.parameters[i]) << i;
  }
}

TEST(ManyArrays, DoNotDependOnThreads) {
  const int before = num_threads();
  const auto run = [](int threads) {
    set_num_threads(threads);
    Many many(Strategy::residual, Format::float16);
    const auto report =
        adamw_step(Strategy::residual, Format::float16, many.memory, measured_options(), 1);
    return std::pair(std::move(many.parameters), report);
  };
  const auto [one, report] = run(1);
  for (const int threads : {2, 3, 7}) {
    const auto [several, other] = run(threads);
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_TRUE(one[i] == several[i]) << i;
    EXPECT_EQ(report.update_squared, other.update_squared);
    EXPECT_EQ(report.effective_squared, other.effective_squared);
  }
  set_num_threads(before);
}

/// Every infinity and NaN is found, wherever it stands; then nothing has changed.
TEST(ManyArrays, AreSkippedTogether) {
  for (const Strategy strategy : {Strategy::light, Strategy::full})
    for (const Format format : {Format::bfloat16, Format::float16}) {
      const Many start(strategy, format);
      Many many(strategy, format);
      for (const auto& [array, element] :
           {std::pair(0, 999), {2, 0}, {5, 139999}, {5, 65536}, {7, 31}, {9, 30}}) {
        auto& bad = many.parameters[std::size_t(array)];
        bad.set_grad(std::size_t(element), element % 2 == 0 ? HUGE_VAL : std::nan(""));
        const auto report = adamw_step(strategy, format, many.memory, {}, 1);
        EXPECT_TRUE(report.skipped);
        EXPECT_EQ(report.nonfinite, 1);
        EXPECT_EQ(report.elements, 209636);
        for (std::size_t i = 0; i < many.memory.size(); ++i)
          ASSERT_TRUE(many.parameters[i] == start.parameters[i]) << i;
        bad.set_grad(std::size_t(element), 0);
      }
    }
}

TEST(ManyArrays, AreCheckedBeforeTheFirstIsWritten) {
  Many many(Strategy::light, Format::bfloat16);
  const Many start(Strategy::light, Format::bfloat16);
  many.memory.back().low = nullptr;
  const auto step = [&](std::int64_t t) {
    adamw_step(Strategy::light, Format::bfloat16, many.memory, {}, t);
  };
  EXPECT_NE(testing::message_of<DomainError>([&] { step(1); }).find("array low"),
            std::string::npos);
  EXPECT_NE(testing::message_of<DomainError>([&] { step(0); }).find("step 0"), std::string::npos);
  for (std::size_t i = 0; i < many.memory.size(); ++i)
    EXPECT_TRUE(many.parameters[i] == start.parameters[i]);
  EXPECT_EQ(
      adamw_step(Strategy::light, Format::bfloat16, std::span<const AdamWMemory>(), {}, 1).elements,
      0);
}

/// Gradients of several shapes; one variable has none, one is transposed.
template <class T>
std::vector<Variable<T>> variables_with_gradients() {
  std::vector<Variable<T>> all;
  for (const Shape& shape : {Shape{70001}, Shape{3, 50}, Shape{0}, Shape{7}, Shape{140000}}) {
    const auto& x = all.emplace_back(Tensor<T>(shape), true);
    x.set_grad(convert<T, 1>(rand<double>(shape, 40 + all.size()) - 0.25));
  }
  all.emplace_back(Tensor<T>({5}), true);
  return all;
}

template <class T>
void check_gradients() {
  const auto all = variables_with_gradients<T>();
  double sum = 0;
  for (const auto& x : all)
    if (x.has_grad())
      for (const T g : x.grad().flatten().values()) sum += double(g) * double(g);
  const double norm = grad_norm(all);
  EXPECT_NEAR(norm, std::sqrt(sum), 1e-12 * norm);
  const int before = num_threads();
  for (const int threads : {1, 2, 5}) {
    set_num_threads(threads);
    EXPECT_EQ(grad_norm(all), norm);
  }
  set_num_threads(before);
  EXPECT_EQ(count_nonfinite(all), 0);
  const auto old = all[1].grad().clone().flatten().values();
  EXPECT_EQ(clip_grad_norm(all, 2 * norm), norm);
  EXPECT_EQ(all[1].grad().flatten().values(), old);
  EXPECT_EQ(clip_grad_norm(all, norm / 3), norm);
  EXPECT_NEAR(grad_norm(all), norm / 3, 4 * double(FloatTraits<T>::u) * norm);
  const auto clipped = all[1].grad().flatten().values();
  for (std::size_t i = 0; i < old.size(); ++i)
    EXPECT_NEAR(double(clipped[i]), double(old[i]) / 3, 3 * double(FloatTraits<T>::u)) << i;
  all[0].grad().data()[70000] = T(FloatTraits<T>::infinity);
  all[3].grad().data()[2] = T(FloatTraits<T>::nan);
  all[3].grad().data()[3] = T(-FloatTraits<T>::infinity);
  EXPECT_EQ(count_nonfinite(all), 3);
  EXPECT_TRUE(std::isnan(grad_norm(all)));
  EXPECT_TRUE(std::isnan(clip_grad_norm(all, 1.0)));
  EXPECT_EQ(all[1].grad().flatten().values(), clipped);
}
TEST(Gradients, OfManyVariables) {
  check_gradients<double>();
  check_gradients<float>();
  check_gradients<half>();
  check_gradients<bfloat16>();
}

/// Squares that leave the range of double, and those of the ends of float's.
TEST(Gradients, HaveNormsAtTheEndsOfTheRange) {
  const Variable<double> x(Tensor<double>({2}), true);
  for (const double size : {0x1p-1074, 0x1p-700, 0x1p-400, 1.0, 0x1p512, 0x1p1000}) {
    x.set_grad(Tensor<double>::from_values({3 * size, 4 * size}));
    EXPECT_EQ(grad_norm(std::vector{x}), 5 * size) << size;
  }
  x.set_grad(Tensor<double>::from_values({0, -FloatTraits<double>::infinity}));
  EXPECT_EQ(grad_norm(std::vector{x}), HUGE_VAL);
  x.set_grad(Tensor<double>({2}));
  EXPECT_EQ(grad_norm(std::vector{x}), 0);
  const Variable<float> y(Tensor<float>({1}), true);
  for (const float size : {0x1p-149F, 3e38F}) {
    y.set_grad(Tensor<float>::from_values({-size}));
    EXPECT_EQ(grad_norm(std::vector{y}), double(size));
  }
}

/// A factor that float cannot hold in all digits.
TEST(Gradients, AreClippedFromTheEndsOfTheRange) {
  const Variable<float> x(Tensor<float>({20}), true);
  x.set_grad(full<float, 1>({20}, 0x1p126F));
  clip_grad_norm(std::vector{x}, std::sqrt(20.0) * 0x1p-20);
  EXPECT_EQ(x.grad().values(), std::vector<float>(20, 0x1p-20F));
}

/// Rows of an embedding are one gradient to a norm and to clipping.
TEST(Gradients, OfRowsAreClipped) {
  const Variable<float> table(full<float, 1>({10, 2}, 1.0F), true);
  const auto index = Tensor<std::int64_t>::from_values({3, 3, 4});
  sum(embedding(table, index, -1, true)).backward();
  ASSERT_TRUE(table.has_sparse_grad());
  EXPECT_DOUBLE_EQ(clip_grad_norm(std::vector{table}, 1.0), std::sqrt(10.0));
  EXPECT_NEAR(grad_norm(std::vector{table}), 1, 1e-7);
}

}  // namespace
}  // namespace mct::test
