// What the tests of tensor files share: sample tensors, comparison bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>
#include <string>

#include "mctensor/tensor/tensor.hpp"
#include "tests/files.hpp"

namespace mct::testing {

/// What reading a small file may allocate at once: streams and messages need some KiB.
inline constexpr std::size_t modest = 1 << 16;

inline void write_content(const fs::path& path, const std::string& content) {
  fs::remove(path);  // some file systems flush a file that is truncated and written anew
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), std::streamsize(content.size()));
  ASSERT_TRUE(file.flush());
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_TRUE(contains(text, part)) << "'" << part << "' is missing in: " << text;
}

/// Random bits in every limb: NaN, infinities and subnormals among them.
template <class X>
X random_tensor(const Shape& shape, unsigned seed = 1) {
  using T = typename X::Component;
  std::mt19937_64 engine(seed);
  const X x(shape);
  for (int k = 0; k < X::components; ++k)
    for (std::int64_t i = 0; i < x.numel(); ++i) {
      const std::uint64_t bits = std::is_same_v<T, bool> ? engine() % 2 : engine();
      std::memcpy(static_cast<void*>(x.data(k) + i), &bits, sizeof(T));
    }
  return x;
}

/// The limbs of all elements in row-major order, plane by plane, as bytes.
template <class T, int N>
std::string bytes_of(const Tensor<T, N>& x) {
  std::string bytes;
  for (int k = 0; k < N; ++k) {
    const Tensor<T, 1> plane = x.plane(k).contiguous();
    bytes.append(reinterpret_cast<const char*>(plane.data()),
                 std::size_t(plane.numel()) * sizeof(T));
  }
  return bytes;
}

template <class T, int N>
void expect_same(const Tensor<T, N>& a, const Tensor<T, N>& b) {
  EXPECT_EQ(a.shape(), b.shape());
  EXPECT_TRUE(bytes_of(a) == bytes_of(b)) << "bits differ, shape " << to_string(a.shape());
}

/// Tensors that differ in how their elements lie in memory: contiguous, empty, without dimensions,
/// transposed, sliced backwards, broadcast.
template <class X>
std::vector<X> assorted_tensors() {
  const X x = random_tensor<X>({4, 3, 5});
  return {x,
          random_tensor<X>({}),
          random_tensor<X>({0}),
          random_tensor<X>({2, 0, 3}),
          random_tensor<X>({7}),
          x.t(),
          x.permute({2, 0, 1}),
          x.slice(0, 3, -5, -2),
          x.narrow(2, 1, 3).select(1, 2),
          x.select(0, 1).select(0, 1).select(0, 4),
          random_tensor<X>({3, 1}).expand({2, 3, 4})};
}

#define MCT_TENSOR_TYPE(T, N) , Tensor<T, N>
template <class, class... X>
using TypesAfterFirst = ::testing::Types<X...>;
using AllTensors = TypesAfterFirst<void MCT_FOR_EACH_TENSOR(MCT_TENSOR_TYPE)>;
#undef MCT_TENSOR_TYPE

}  // namespace mct::testing
