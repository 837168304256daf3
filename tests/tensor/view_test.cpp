// Tensors as memory: creation, elements, views, errors.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/tensor/tensors.hpp"

namespace mct::test {
namespace {

Tensor<std::int64_t> numbered(const Shape& shape) { return arange(numel(shape)).reshape(shape); }

std::vector<std::int64_t> list(const Tensor<std::int64_t>& x) { return x.values(); }

TEST(Tensor, PlanesAreAlignedAndContiguous) {
  for_each_type([]<class T, int N>() {
    const Tensor<T, N> x({3, 5, 7});
    for (int k = 0; k < N; ++k)
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data(k)) % tensor_alignment, 0u);
    EXPECT_TRUE(x.is_contiguous());
    EXPECT_EQ(x.strides(), (Shape{35, 7, 1}));
    EXPECT_GE(x.plane_stride(), N == 1 ? 0 : 105);
    EXPECT_EQ(x.numel(), 105);
    for (const auto& value : x.values()) EXPECT_TRUE((same<T, N>(value, Expansion<T, N>{})));
  });
}

TEST(Tensor, ElementsRoundTrip) {
  for_each_type([]<class T, int N>() {
    const auto x = random_tensor<T, N>({4, 6}, 1);
    const auto values = x.values();
    EXPECT_TRUE((same<T, N>(x.at({2, 3}), values[15])));
    EXPECT_TRUE((same<T, N>(x.at({-2, -3}), values[15])));
    x.set({2, 3}, typename Tensor<T, N>::Value(T(7)));
    EXPECT_TRUE((same<T, N>(x.at({2, 3}), Expansion<T, N>(T(7)))));
    EXPECT_TRUE((same<T, N>(x.select(0, 2).select(0, 3).item(), Expansion<T, N>(T(7)))));
    for (int k = 0; k < N; ++k) EXPECT_EQ(x.plane(k).data(), x.data(k));
  });
}

TEST(Tensor, IsAHandleAndCloneCopies) {
  const Tensor<double, 2> x({2});
  const Tensor<double, 2> y = x;
  const Tensor<double, 2> z = x.clone();
  y.set({0}, f64x2(3));
  EXPECT_EQ(x.at({0}), f64x2(3));
  EXPECT_EQ(z.at({0}), f64x2(0));
}

TEST(Tensor, EvaluateSumsComponents) {
  auto x = Tensor<float, 3>::uninitialized({1});
  // not normalized: somebody else's planes
  x.data(0)[0] = 1;
  x.data(1)[0] = 2;
  x.data(2)[0] = 4;
  EXPECT_EQ(x.evaluate().item(), 7.0F);
}

TEST(Views, TransposeNarrowSelect) {
  const auto x = numbered({2, 3, 4});
  EXPECT_EQ(list(x.transpose(0, 2).select(1, 1)),
            (std::vector<std::int64_t>{4, 16, 5, 17, 6, 18, 7, 19}));
  EXPECT_EQ(x.transpose(0, 2).shape(), (Shape{4, 3, 2}));
  EXPECT_EQ(list(x.narrow(2, 1, 2).select(0, 1)),
            (std::vector<std::int64_t>{13, 14, 17, 18, 21, 22}));
  EXPECT_EQ(list(x.permute({2, 0, 1})[3]), (std::vector<std::int64_t>{3, 7, 11, 15, 19, 23}));
  EXPECT_EQ(list(x[1][2]), (std::vector<std::int64_t>{20, 21, 22, 23}));
  EXPECT_EQ(x.t().shape(), (Shape{2, 4, 3}));
  EXPECT_EQ(x.t().storage().data(), x.storage().data());
}

TEST(Views, SliceFollowsPython) {
  const auto x = arange(10);
  EXPECT_EQ(list(x.slice(0, 2, 8, 3)), (std::vector<std::int64_t>{2, 5}));
  EXPECT_EQ(list(x.slice(0, -3, 100)), (std::vector<std::int64_t>{7, 8, 9}));
  EXPECT_EQ(list(x.slice(0, 8, 2, -2)), (std::vector<std::int64_t>{8, 6, 4}));
  EXPECT_EQ(list(x.slice(0, 2, -100, -1)), (std::vector<std::int64_t>{2, 1, 0}));
  EXPECT_EQ(x.slice(0, 5, 5).numel(), 0);
  EXPECT_EQ(x.slice(0, 5, 2).numel(), 0);
  EXPECT_THROW(x.slice(0, 0, 5, 0), ShapeError);
}

TEST(Views, ExpandSqueezeUnsqueeze) {
  const auto x = numbered({3, 1});
  const auto wide = x.expand({2, 3, 4});
  EXPECT_EQ(wide.strides(), (Shape{0, 1, 0}));
  EXPECT_EQ(list(wide[1][2]), (std::vector<std::int64_t>{2, 2, 2, 2}));
  EXPECT_EQ(x.expand({-1, 5}).shape(), (Shape{3, 5}));
  EXPECT_EQ(x.squeeze().shape(), (Shape{3}));
  EXPECT_EQ(x.unsqueeze(0).shape(), (Shape{1, 3, 1}));
  EXPECT_EQ(x.unsqueeze(-1).shape(), (Shape{3, 1, 1}));
  EXPECT_THROW(x.expand({4, 4}), ShapeError);
  EXPECT_THROW(x.squeeze(0), ShapeError);
}

TEST(Views, ExpandedElementsAreNotWrittenInPlace) {
  const Tensor<double> x({3, 1});
  const auto wide = x.expand({3, 4});
  EXPECT_THROW(add_(wide, Tensor<double>({3, 4})), ShapeError);
  EXPECT_THROW(wide.copy_(Tensor<double>({3, 4})), ShapeError);
  EXPECT_THROW(scatter_add_(wide, 1, Tensor<std::int64_t>({3, 4}), Tensor<double>({3, 4})),
               ShapeError);
  EXPECT_EQ(x.values(), Tensor<double>({3, 1}).values());
  EXPECT_NO_THROW(add_(x.expand({1, 3, 1}), 1.0));
  EXPECT_NO_THROW(add_(wide.clone(), 1.0));
  EXPECT_NO_THROW(add_(Tensor<double>({0, 1}).expand({0, 4}), 1.0));
}

TEST(Views, ReshapeIsAViewWhereItCanBe) {
  const auto x = numbered({2, 3, 4});
  EXPECT_EQ(x.reshape({6, -1}).data(), x.data());
  // rows of a narrowed matrix stay evenly spaced
  const auto rows = x.narrow(2, 0, 2).reshape({6, 2});
  EXPECT_EQ(rows.data(), x.data());
  EXPECT_EQ(list(rows[4]), (std::vector<std::int64_t>{16, 17}));
  const auto split = x.t().reshape({2, 2, 2, 3});
  EXPECT_EQ(split.data(), x.data());
  EXPECT_EQ(list(split), list(x.t()));
  // a transposed matrix as a vector is a copy
  const auto flat = x.t().flatten();
  EXPECT_NE(flat.data(), x.data());
  EXPECT_EQ(list(flat), list(x.t()));
  EXPECT_EQ(Tensor<double>({0, 3}).reshape({3, 0}).shape(), (Shape{3, 0}));
  EXPECT_THROW(x.reshape({5, -1}), ShapeError);
  EXPECT_THROW(x.reshape({25}), ShapeError);
}

TEST(Views, CopyBetweenOverlappingViews) {
  const auto x = numbered({6});
  x.narrow(0, 1, 5).copy_(x.narrow(0, 0, 5));
  EXPECT_EQ(list(x), (std::vector<std::int64_t>{0, 0, 1, 2, 3, 4}));
  const auto y = numbered({4});
  y.copy_(y.slice(0, 3, -100, -1));
  EXPECT_EQ(list(y), (std::vector<std::int64_t>{3, 2, 1, 0}));
}

TEST(Memory, BelongsToItsOwnerUntilReleased) {
  double values[6] = {1, 2, 3, 4, 5, 6};
  bool released = false;
  {
    const auto x = Tensor<double>::from_memory(values, {2, 3}, {}, 0, [&] { released = true; });
    const auto view = x.t();
    EXPECT_EQ(view.at({2, 1}), 6);
    view.set({0, 1}, 40);
    EXPECT_FALSE(released);
  }
  EXPECT_TRUE(released);
  EXPECT_EQ(values[3], 40);
  // two planes of a matrix stored by columns
  double planes[8] = {1, 2, 3, 4, 0x1p-60, 0, 0, 0};
  const auto m = Tensor<double, 2>::from_memory(planes, {2, 2}, {1, 2}, 4);
  EXPECT_EQ(m.at({0, 1}), f64x2(3));
  EXPECT_EQ(m.at({0, 0}), f64x2(1) + f64x2(0x1p-60));
}

TEST(Memory, ViewsOfAStorageAreChecked) {
  const auto storage = Storage::allocate(10 * sizeof(double), true);
  EXPECT_NO_THROW((Tensor<double, 2>::from_storage(storage, 0, {5}, {1}, 5)));
  EXPECT_THROW((Tensor<double, 2>::from_storage(storage, 1, {5}, {1}, 5)), ShapeError);
  EXPECT_THROW(Tensor<double>::from_storage(storage, 0, {2, 2}, {1, 9}, 0), ShapeError);
  EXPECT_THROW(Tensor<double>::from_storage(storage, 0, {3}, {-1}, 0), ShapeError);
  EXPECT_THROW(Tensor<double>::from_storage(storage, 0, {3}, {1, 1}, 0), ShapeError);
}

TEST(Memory, ThatWasGivenBackIsZeroWhereThatIsAskedFor) {
  constexpr std::size_t bytes = std::size_t(3) << 20;
  for (int i = 0; i < 20; ++i) {
    const auto clean = Storage::allocate(bytes, true);
    const auto* const numbers = static_cast<const char*>(clean.data());
    EXPECT_EQ(std::count(numbers, numbers + bytes, 0), std::ptrdiff_t(bytes));
    const auto used = Storage::allocate(bytes, false);
    std::memset(used.data(), 0x5a, bytes);
  }
}

/// Sizes that are kept and that are not, more at a time than places for them: nobody writes into
/// the block of another.
TEST(Memory, HasOneOwnerOnEachThread) {
  std::atomic<int> shared{0};
  const auto work = [&](int self) {
    std::vector<Storage> own;
    for (int i = 0; i < 200; ++i) {
      const std::size_t bytes = (std::size_t(96) + std::size_t(i * 7 + self) % 5 * 32) << 10;
      own.push_back(Storage::allocate(bytes, false));
      for (std::size_t at = 0; at < bytes; at += 4096)
        static_cast<int*>(own.back().data())[at / sizeof(int)] = 1000 * self + i;
      if (own.size() < 12) continue;
      const int* const numbers = static_cast<const int*>(own[0].data());
      for (std::size_t at = 0; at < own[0].bytes(); at += 4096)
        shared += numbers[at / sizeof(int)] != 1000 * self + i - 11;
      own.erase(own.begin());
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int k = 0; k < 4; ++k) threads.emplace_back(work, k);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared, 0);
}

TEST(Errors, NameTheShapesAndValues) {
  const Tensor<double> x({2, 3});
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(message_of<ShapeError>([&] { x.at({2, 0}); }), "(2, 0)"));
  EXPECT_TRUE(has(message_of<ShapeError>([&] { x.item(); }), "(2, 3)"));
  EXPECT_TRUE(has(message_of<ShapeError>([&] { x.size(2); }), "dimension 2"));
  EXPECT_TRUE(has(message_of<ShapeError>([&] { x.narrow(1, 2, 2); }), "(2, 3)"));
  EXPECT_TRUE(has(message_of<ShapeError>([&] { x.permute({0, 0}); }), "(0, 0)"));
  EXPECT_TRUE(has(message_of<ShapeError>([&] { x.plane(1); }), "plane 1"));
  EXPECT_TRUE(has(message_of<ShapeError>([] { Tensor<double>({-1}); }), "(-1,)"));
  EXPECT_TRUE(has(message_of<ShapeError>([] {
                    Tensor<double>({std::int64_t(1) << 40, 1 << 30});
                  }),
                  "2^62"));
  EXPECT_THROW(Tensor<double>::from_values({1, 2, 3}, {2, 2}), ShapeError);
  EXPECT_THROW(x.copy_(Tensor<double>({4})), ShapeError);
  EXPECT_THROW(Tensor<double>::from_memory(nullptr, {1}), ShapeError);
}

TEST(Shapes, Broadcast) {
  EXPECT_EQ(broadcast_shapes({3, 1}, {2, 1, 4}), (Shape{2, 3, 4}));
  EXPECT_EQ(broadcast_shapes({}, {2}), (Shape{2}));
  EXPECT_EQ(broadcast_shapes({0}, {1}), (Shape{0}));
  EXPECT_THROW(broadcast_shapes({2}, {3}), ShapeError);
  EXPECT_EQ(leading_shape({2, 3, 4}), (Shape{2, 3}));
  EXPECT_EQ(leading_shape({2, 3, 4}, 2), (Shape{2}));
  EXPECT_EQ(leading_shape({2}), Shape{});
  EXPECT_EQ(leading_shape({2}, 0), (Shape{2}));
  EXPECT_THROW(leading_shape({}), ShapeError);
  EXPECT_THROW(leading_shape({2}, 2), ShapeError);
  EXPECT_THROW(broadcast_shapes({0}, {2}), ShapeError);
}

}  // namespace
}  // namespace mct::test
