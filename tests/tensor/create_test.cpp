// Creation, indexing and joining.
#include "mctensor/tensor/philox.hpp"
#include "tests/tensor/tensors.hpp"

namespace mct::test {
namespace {

TEST(Create, Constants) {
  EXPECT_EQ((full<double, 2>({2}, f64x2(3)).values()), (std::vector<f64x2>{f64x2(3), f64x2(3)}));
  EXPECT_EQ(zeros<float>({2}).values(), (std::vector<float>{0, 0}));
  EXPECT_EQ(eye<double>(2).values(), (std::vector<double>{1, 0, 0, 1}));
}

TEST(Create, Arange) {
  const auto x = arange(f64x2(0), f64x2(1), f64x2(1) / f64x2(3));
  ASSERT_EQ(x.numel(), 3) << "3 (1 / 3) rounded is 1, which is not before 1";
  EXPECT_EQ(x.at({2}), f64x2(2) * (f64x2(1) / f64x2(3)));
  EXPECT_EQ(arange(f64x1(5), f64x1(1), f64x1(-2)).values(), (std::vector<double>{5, 3}));
  EXPECT_EQ(arange(f32x2(1), f32x2(1), f32x2(1)).numel(), 0);
  EXPECT_EQ(arange(4).values(), (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_THROW(arange(f64x1(0), f64x1(1), f64x1(0)), DomainError);
  EXPECT_THROW(arange(f64x1(0), f64x1(1), f64x1(-1)), DomainError);
  EXPECT_THROW(arange(f64x1(0), f64x1(INFINITY), f64x1(1)), DomainError);
  // ends that differ in the second component alone
  const f64x2 tiny = ldexp(f64x2(1), -70);
  EXPECT_EQ(arange(f64x2(1), f64x2(1) + tiny, tiny / 8).numel(), 8);
  EXPECT_THROW(arange(f64x2(1), f64x2(1) - tiny, tiny / 8), DomainError);
  EXPECT_THROW(arange(f64x2(1), f64x2(1) + tiny, ldexp(tiny, -60)), DomainError);
}

TEST(Random, UniformFillsEveryComponent) {
  for_each_type([]<class T, int N>() {
    const auto x = rand<T, N>({4000}, 1);
    double total = 0;
    int last_limb_used = 0;
    for (const auto& value : x.values()) {
      const auto v = as_expansion<T, N>(value);
      ASSERT_TRUE(v.limb[0] >= T(0) && v < (Expansion<T, N>(T(1)))) << double(v.limb[0]);
      ASSERT_TRUE(is_normalized(v));
      total += double(v.limb[0]);
      last_limb_used += v.limb[N - 1] != T(0) ? 1 : 0;
    }
    EXPECT_NEAR(total / 4000, 0.5, 0.02);
    // half: the third limb is below its subnormals half of the time
    const bool vanishes = std::is_same_v<T, half> && N == 3;
    EXPECT_GT(last_limb_used, vanishes ? 100 : 3000);
  });
}

TEST(Random, NormalHasItsMoments) {
  for_each_type([]<class T, int N>() {
    const auto x = randn<T, N>({3, 1667}, 11);
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    for (const auto& value : x.values()) {
      const double v = double(as_expansion<T, N>(value).limb[0]);
      ASSERT_TRUE(std::isfinite(v));
      s1 += v;
      s2 += v * v;
      s3 += v * v * v;
      s4 += v * v * v * v;
    }
    const double n = 5001;
    // four standard deviations of each
    EXPECT_NEAR(s1 / n, 0, 4 / std::sqrt(n));
    EXPECT_NEAR(s2 / n, 1, 4 * std::sqrt(2 / n));
    EXPECT_NEAR(s3 / n, 0, 4 * std::sqrt(15 / n));
    EXPECT_NEAR(s4 / n, 3, 4 * std::sqrt(96 / n));
  });
}

TEST(Random, DependsOnSeedAndPositionAlone) {
  const int before = num_threads();
  set_num_threads(1);
  const auto one = randn<double, 2>({1001}, 5);
  set_num_threads(3);
  EXPECT_TRUE(same(randn<double, 2>({1001}, 5), one));
  EXPECT_TRUE(same(randn<double, 2>({500}, 5), one.narrow(0, 0, 500).clone()));
  EXPECT_FALSE(same(randn<double, 2>({1001}, 6), one));
  set_num_threads(before);
  // computed with a component to spare, so that its bits are those of every processor
  const auto longer = randn<double, 3>({1001}, 5).values();
  for (std::size_t i = 0; i < 1001; ++i) EXPECT_EQ(one.values()[i], f64x2(longer[i]));
}

TEST(Philox, KnownAnswers) {
  // the test vectors of the authors' Random123 for philox4x32-10
  const auto zero = philox4x32({0, 0, 0, 0}, {0, 0});
  EXPECT_EQ(zero, (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Join, CatAndStack) {
  for_each_type([]<class T, int N>() {
    const auto x = random_tensor<T, N>({2, 3}, 1);
    const auto y = random_tensor<T, N>({2, 5}, 2);
    const auto joined = cat<T, N>({x, y, x.narrow(1, 0, 1)}, -1);
    ASSERT_EQ(joined.shape(), (Shape{2, 9}));
    EXPECT_TRUE(same(joined.narrow(1, 3, 5).contiguous(), y));
    const auto stacked = stack<T, N>({x, x + x}, 1);
    ASSERT_EQ(stacked.shape(), (Shape{2, 2, 3}));
    EXPECT_TRUE(same(stacked.select(1, 1).contiguous(), x + x));
    EXPECT_EQ((stack<T, N>({x, x}, -1).shape()), (Shape{2, 3, 2}));
    EXPECT_THROW((cat<T, N>({x, y}, 0)), ShapeError);
    EXPECT_THROW((cat<T, N>({}, 0)), ShapeError);
    EXPECT_THROW((stack<T, N>({x, y})), ShapeError);
  });
}

TEST(Index, SelectGatherScatter) {
  const auto x = random_tensor<double, 2>({4, 3}, 1);
  const auto index = Tensor<std::int64_t>::from_values({3, 0, 3});
  const auto rows = index_select(x, 0, index);
  EXPECT_TRUE(same(rows[0].contiguous(), x[3].contiguous()));
  EXPECT_TRUE(same(rows[1].contiguous(), x[0].contiguous()));
  EXPECT_EQ(index_select(x, -1, index.narrow(0, 1, 1)).shape(), (Shape{4, 1}));

  const auto where_to = Tensor<std::int64_t>::from_values({2, 0, 1, 1}, {2, 2});
  const auto taken = gather(x, 0, where_to);
  EXPECT_EQ(taken.at({0, 0}), x.at({2, 0}));
  EXPECT_EQ(taken.at({0, 1}), x.at({0, 1}));
  EXPECT_EQ(gather(x, 1, where_to).at({1, 0}), x.at({1, 1}));

  const auto base = Tensor<double, 2>({4, 3});
  const auto added = scatter_add(base, 0, where_to, x);
  EXPECT_EQ(added.at({2, 0}), x.at({0, 0}));
  EXPECT_EQ(added.at({1, 1}), x.at({1, 1}));
  EXPECT_EQ(sum(base).item(), f64x2(0)) << "the original stays";
  const auto same_place = Tensor<std::int64_t>({4, 1});
  EXPECT_EQ(scatter_add(base, 0, same_place, x).at({0, 0}),
            x.at({0, 0}) + x.at({1, 0}) + x.at({2, 0}) + x.at({3, 0}));
}

TEST(Index, ErrorsLeaveEverythingAlone) {
  const Tensor<double> x({2, 2});
  const auto ones = full<double>({2, 2}, 1.0);
  const auto bad = Tensor<std::int64_t>::from_values({0, 1, 0, 2}, {2, 2});
  const std::string message = message_of<ShapeError>([&] { scatter_add_(x, 0, bad, ones); });
  EXPECT_NE(message.find("index 2"), std::string::npos) << message;
  EXPECT_EQ(x.values(), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_THROW(gather(x, 0, bad), ShapeError);
  EXPECT_THROW(gather(x, 0, Tensor<std::int64_t>({2})), ShapeError);
  EXPECT_THROW(gather(x, 0, Tensor<std::int64_t>({1, 3})), ShapeError);
  EXPECT_THROW(index_select(x, 0, Tensor<std::int64_t>::from_values({-1})), ShapeError);
  EXPECT_THROW(index_select(x, 0, bad), ShapeError);
  EXPECT_THROW(scatter_add_(x, 0, bad, Tensor<double>({1, 2})), ShapeError);
}

TEST(Create, ArangeOfNarrowTypesCountsInDouble) {
  const auto x = arange<bfloat16, 1>(bfloat16(-300), bfloat16(0), bfloat16(1));
  EXPECT_EQ(x.numel(), 300);
  EXPECT_EQ(x.at({257}), bfloat16(-43));
  EXPECT_EQ(x.at({299}), bfloat16(-1));
  const auto y = arange<half, 1>(half(0), half(1), half(1e-5));
  // the last value lies before 1, half rounds it to 1
  EXPECT_EQ(y.numel(), std::int64_t(std::ceil(1 / double(half(1e-5)))));
  EXPECT_EQ(float(y.at({-1})), 1);
  EXPECT_NEAR(float(y.at({70000})), 70000 * double(half(1e-5)), 0x1p-12);
}

TEST(Create, SizesThatOverflowAreRefused) {
  EXPECT_THROW(Tensor<double>({(std::int64_t(1) << 61) + 4}), ShapeError);
  EXPECT_THROW(zeros<float>({std::int64_t(1) << 62}), ShapeError);
  EXPECT_THROW((Tensor<double, 4>::uninitialized({std::int64_t(1) << 59})), ShapeError);
  const auto storage = Storage::allocate(64, true);
  EXPECT_THROW(Tensor<double>::from_storage(storage, 0, {5}, {std::int64_t(1) << 62}, 5),
               ShapeError);
}

TEST(Loops, MemoryOfOthersMayOverlap) {
  double memory[40];
  for (int i = 0; i < 40; ++i) memory[i] = i;
  const auto a = Tensor<double>::from_memory(memory, {32});
  const auto b = Tensor<double>::from_memory(memory + 1, {32});
  add_(b, a);
  for (int i = 1; i <= 32; ++i) EXPECT_EQ(memory[i], 2 * i - 1);
}

}  // namespace
}  // namespace mct::test
