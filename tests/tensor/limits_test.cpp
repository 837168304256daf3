// Arguments at the ends of their ranges, tensors that are moved from, and memory that runs out.
#include <limits>
#include <utility>

#include "tests/memory_limit.hpp"
#include "tests/tensor/tensors.hpp"

namespace mct::test {
namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t huge = std::int64_t(1) << 62;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(MovedFrom, IsAnEmptyTensor) {
  for_each_type([]<class T, int N>() {
    Tensor<T, N> x({2, 3});
    Tensor<T, N> y(std::move(x));
    EXPECT_EQ(y.shape(), (Shape{2, 3}));
    // NOLINTBEGIN(bugprone-use-after-move)
    const auto check = [](const Tensor<T, N>& empty) {
      EXPECT_EQ(empty.shape(), (Shape{0}));
      EXPECT_EQ(empty.numel(), 0);
      EXPECT_EQ(empty.clone().shape(), (Shape{0}));
      EXPECT_EQ(exp(empty + empty).shape(), (Shape{0}));
      EXPECT_EQ(sum(empty).item(), (typename Tensor<T, N>::Value(T(0))));
      EXPECT_EQ(empty.values().size(), 0u);
      EXPECT_EQ(empty.reshape({0, 4}).shape(), (Shape{0, 4}));
      EXPECT_EQ(matmul(empty, empty).item(), (typename Tensor<T, N>::Value(T(0))));
      EXPECT_EQ((cat<T, N>({empty, Tensor<T, N>({2})}).shape()), (Shape{2}));
      EXPECT_EQ(to_string(empty), "[]");
      empty.fill_(typename Tensor<T, N>::Value(T(1)));
      EXPECT_THROW(empty.item(), ShapeError);
      EXPECT_THROW(empty.at({0}), ShapeError);
    };
    check(x);
    Tensor<T, N> z({5});
    z = std::move(y);
    EXPECT_EQ(z.shape(), (Shape{2, 3}));
    check(y);
    check(y.clone());
    x = z;
    EXPECT_EQ(x.data(), z.data());
    // NOLINTEND(bugprone-use-after-move)
    Tensor<T, N>& same = z;
    z = std::move(same);
    EXPECT_EQ(z.shape(), (Shape{2, 3}));
    Tensor<T, N> scalar = Tensor<T, N>::scalar({});
    const Tensor<T, N> taken = std::move(scalar);
    EXPECT_EQ(taken.numel(), 1);
    check(scalar);  // NOLINT(bugprone-use-after-move)
  });
}

TEST(Limits, IndicesFarOutside) {
  const auto x = Tensor<double>({3, 4});
  const auto deep = Tensor<double>({3}).unsqueeze(1).expand({3, huge / 4});
  for (const std::int64_t far : {huge, -huge, smallest, largest}) {
    EXPECT_THROW(x.at({far, 0}), ShapeError);
    EXPECT_THROW(x.at({0, far}), ShapeError);
    EXPECT_THROW(x.set({far, far}, 1), ShapeError);
    EXPECT_THROW(x(far, 0), ShapeError);
    EXPECT_THROW(x.select(0, far), ShapeError);
    EXPECT_THROW(x.transpose(far, 0), ShapeError);
    EXPECT_THROW(x.unsqueeze(far), ShapeError);
    EXPECT_THROW(x.narrow(0, far, 1), ShapeError);
    EXPECT_THROW(x.narrow(0, 0, far), ShapeError);
    EXPECT_THROW(x.narrow(0, far, far), ShapeError);
    EXPECT_THROW(deep.at({far, 0}), ShapeError);
    EXPECT_THROW(index_select(x, 0, Tensor<std::int64_t>::from_values({far})), ShapeError);
    EXPECT_THROW(gather(x, 0, Tensor<std::int64_t>::from_values({far}, {1, 1})), ShapeError);
    EXPECT_THROW(sum(x, {far}), ShapeError);
    EXPECT_THROW(x.reshape({far, -1}), ShapeError);
    EXPECT_THROW(x.expand({far, far, 3, 4}), ShapeError);
  }
}

TEST(Limits, SlicesOfAnyPositionAndStep) {
  const auto x = arange(10);
  const auto first = [](const Tensor<std::int64_t>& slice) {
    return slice.numel() == 0 ? -1 : slice.at({0});
  };
  EXPECT_EQ(x.slice(0, smallest, largest).values(), x.values());
  EXPECT_EQ(x.slice(0, largest, smallest, -1).numel(), 10);
  EXPECT_EQ(x.slice(0, 0, largest, largest).numel(), 1);
  EXPECT_EQ(x.slice(0, largest, smallest, smallest).numel(), 1);
  EXPECT_EQ(first(x.slice(0, largest, smallest, smallest)), 9);
  EXPECT_EQ(x.slice(0, smallest, largest, smallest).numel(), 0);
  EXPECT_EQ(first(x.slice(0, 3, largest, huge)), 3);
  // what was sliced with such a step is a tensor like others
  const auto one = Tensor<double>({2, 10}).slice(1, 3, largest, largest);
  EXPECT_EQ((one + 1.0).values(), (std::vector<double>{1, 1}));
  EXPECT_EQ(one.reshape({2}).shape(), (Shape{2}));
}

TEST(Limits, ShapesBeyondAllMemory) {
  const Tensor<double> x({1, 1});
  EXPECT_THROW(x.expand({huge, huge}), ShapeError);
  const auto wide = x.expand({huge, 1});
  EXPECT_EQ(wide.numel(), huge);
  EXPECT_THROW(wide.clone(), ShapeError);
  EXPECT_THROW((cat<double, 1>({wide, wide})), ShapeError);
  EXPECT_THROW((cat<double, 1>({wide, wide, wide})), ShapeError);
  EXPECT_THROW((stack<double, 1>({wide, wide})), ShapeError);
  EXPECT_THROW(wide + wide.t(), ShapeError);
  EXPECT_THROW(mm(wide, wide.t()), ShapeError);
  EXPECT_THROW(eye<double>(huge), ShapeError);
  EXPECT_THROW(arange(huge), ShapeError);
  EXPECT_THROW(arange(-1), ShapeError);
  EXPECT_THROW((rand<double, 4>({largest}, 1)), ShapeError);
  EXPECT_THROW(Tensor<double>({0, huge, huge}), ShapeError);
}

TEST(Limits, StridesThatReachNowhere) {
  double values[4] = {1, 2, 3, 4};
  EXPECT_THROW(Tensor<double>::from_memory(values, {2, 2}, {huge, huge}), ShapeError);
  EXPECT_THROW(Tensor<double>::from_memory(values, {3}, {smallest}), ShapeError);
  EXPECT_THROW((Tensor<double, 3>::from_memory(values, {1}, {1}, largest)), ShapeError);
  // a dimension without a second element has no stride that matters
  const auto x = Tensor<double>::from_memory(values, {1, 4}, {largest, 1});
  EXPECT_EQ(x.narrow(0, 1, 0).numel(), 0);
  EXPECT_EQ(sum(x.slice(0, 0, 1, largest)).item(), 10);
  EXPECT_EQ(Tensor<double>::from_memory(values, {0, 5}, {1, huge}).narrow(1, 4, 1).numel(), 0);
  const auto storage = Storage::allocate(sizeof values, true);
  for (const std::int64_t offset : {smallest, -std::int64_t(1), std::int64_t(4), largest})
    EXPECT_THROW(Tensor<double>::from_storage(storage, offset, {1}, {1}, 0), ShapeError);
  EXPECT_THROW(Tensor<double>::from_storage(storage, 3, {2}, {huge}, 0), ShapeError);
}

TEST(Overlap, IsNotWrittenInPlace) {
  std::vector<double> memory(64, 0.0);
  const auto view = [&](const Shape& shape, const Shape& strides) {
    return Tensor<double>::from_memory(memory.data(), shape, strides);
  };
  const auto message = [](const Tensor<double>& x) {
    return message_of<ShapeError>([&] { add_(x, 1.0); });
  };
  EXPECT_TRUE(has(message(view({3, 3}, {1, 1})), "overlap"));
  EXPECT_TRUE(has(message(view({3, 3}, {1, 1})), "(1, 1)"));
  EXPECT_TRUE(has(message(view({4, 4}, {2, 3})), "overlap"));
  EXPECT_TRUE(has(message(view({2, 3, 2}, {6, 3, 6})), "overlap"));
  EXPECT_TRUE(has(message(view({3, 3}, {0, 1})), "expanded"));
  for (const double value : memory) EXPECT_EQ(value, 0);
  // strides that interleave without meeting
  EXPECT_EQ(message(view({2, 3}, {3, 2})), "");
  EXPECT_EQ(message(view({4, 2}, {2, 1})), "");
  EXPECT_EQ(message(view({3, 4}, {1, 3})), "");
  EXPECT_EQ(message(view({4}, {5}).unsqueeze(0)), "");
  EXPECT_EQ(message(Tensor<double>({8}).slice(0, 7, -100, -2)), "");
  EXPECT_THROW(view({3, 3}, {1, 1}).copy_(Tensor<double>({3, 3})), ShapeError);
  EXPECT_THROW(view({3, 3}, {1, 1}).fill_(1), ShapeError);
}

TEST(Overlap, OfPlanesIsNotWrittenEither) {
  double memory[16] = {};
  const auto view = [&](std::int64_t stride, std::int64_t plane_stride) {
    return Tensor<double, 2>::from_memory(memory, {4}, {stride}, plane_stride);
  };
  EXPECT_NO_THROW(view(2, 1).fill_(f64x2(3)));  // one element after the other
  EXPECT_NO_THROW(view(1, 4).fill_(f64x2(3)));
  EXPECT_THROW(view(1, 1).fill_(f64x2(3)), ShapeError);
  EXPECT_THROW(view(2, 2).fill_(f64x2(3)), ShapeError);
}

TEST(Memory, ThatIsNotThereIsAnErrorWithShapeAndBytes) {
  if (!mct::testing::can_limit_memory()) GTEST_SKIP() << "memory cannot be limited here";
  const mct::testing::MemoryLimit limit(std::size_t(1) << 28);
  const auto message = [](const auto& make) { return message_of<MemoryError>(make); };
  const std::string text = message([] { Tensor<double>({1 << 10, 1 << 20}); });
  EXPECT_TRUE(has(text, "(1024, 1048576)")) << text;
  EXPECT_TRUE(has(text, "8589934592 bytes")) << text;
  EXPECT_NE(message([] { arange(std::int64_t(1) << 40); }), "");
  EXPECT_NE(message([] { Tensor<double>({1}).expand({1 << 30}).clone(); }), "");
  EXPECT_NE(message([] { randn<double, 2>({1 << 30}, 1); }), "");
  EXPECT_THROW(Tensor<float>({std::int64_t(1) << 50}), Error);
}

}  // namespace
}  // namespace mct::test
