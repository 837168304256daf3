// Conversions of plain tensors: what the conversion of each number gives.
#include <bit>
#include <cstring>

#include "src/tensor/kernels/short_words.hpp"
#include "tests/tensor/tensors.hpp"

namespace mct::test {
namespace {

/// Numbers of T of every size and kind, many of them halfway between two shorter ones or next to
/// that.
template <class T>
std::vector<T> numbers(std::uint64_t seed) {
  using Bits = std::conditional_t<std::is_same_v<T, double>, std::uint64_t, std::uint32_t>;
  constexpr int fraction = FloatTraits<T>::p - 1;
  constexpr Bits one = 1;
  std::mt19937_64 random(seed);
  std::vector<T> result;
  for (int i = 0; i < 60000; ++i) {
    auto bits = Bits(random());
    // the exponents that a half has, now and then
    if (i % 2 == 0)
      bits =
          (bits & ~(Bits(-1) >> 1 >> fraction << fraction)) |
          Bits((FloatTraits<double>::p == FloatTraits<T>::p ? 1023 : 127) - 26 + int(random() % 44))
              << fraction;
    // only some of the leading bits, and a last one near them
    if (i % 3 == 0) bits = bits >> (fraction - 12) << (fraction - 12);
    if (i % 9 == 0) bits += Bits(random() % 3) - one;
    if (i % 50 == 0) bits |= Bits(-1) >> 1 >> fraction << fraction;  // infinity or NaN
    result.push_back(std::bit_cast<T>(bits));
  }
  return result;
}
template <class T>
requires(is_short_float_v<T>) std::vector<T> numbers(std::uint64_t /*seed*/) {
  std::vector<T> result;
  for (unsigned bits = 0; bits < 0x10000; ++bits)
    result.push_back(T::from_bits(std::uint16_t(bits)));
  return result;
}

template <class T, class U>
void expect_conversion() {
  const auto values = numbers<T>(3);
  const auto result = convert<U, 1>(Tensor<T>::from_values(values));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const U expected = U(values[i]);
    const U found = result.data()[i];
    if (double(expected) != double(expected)) {
      EXPECT_TRUE(double(found) != double(found)) << i;
      EXPECT_EQ(std::signbit(double(found)), std::signbit(double(expected))) << i;
    } else {
      ASSERT_EQ(std::memcmp(&found, &expected, sizeof(U)), 0)
          << double(values[i]) << " gives " << double(found) << ", not " << double(expected);
    }
  }
}

template <class T>
void expect_conversions() {
  if constexpr (!std::is_same_v<T, double>) expect_conversion<T, double>();
  if constexpr (!std::is_same_v<T, float>) expect_conversion<T, float>();
  if constexpr (!std::is_same_v<T, half>) expect_conversion<T, half>();
  if constexpr (!std::is_same_v<T, bfloat16>) expect_conversion<T, bfloat16>();
}

/// Of numbers of several components, too, that are zeros or become zeros.
template <class T, int N, class U, int M>
void expect_signs_of_zeros() {
  for (const T value : {T(0.0), T(-0.0), T(5e-324), T(-5e-324)}) {
    const U found = Expansion<U, M>(Expansion<T, N>(value)).limb[0];
    EXPECT_EQ(double(found), 0.0);
    EXPECT_EQ(std::signbit(double(found)), std::signbit(double(value))) << double(value);
  }
}
TEST(Convert, ZerosKeepTheirSigns) {
  expect_signs_of_zeros<double, 2, half, 2>();
  expect_signs_of_zeros<double, 3, bfloat16, 3>();
  expect_signs_of_zeros<double, 2, float, 2>();
  expect_signs_of_zeros<double, 4, float, 3>();
  EXPECT_TRUE(std::signbit(double(Expansion<half, 2>(f32x2(-1e-30f) - f32x2(1e-38f)).limb[0])));
  EXPECT_TRUE(std::signbit(Expansion<double, 2>(Expansion<half, 3>(half(-0.0f))).limb[0]));
  EXPECT_FALSE(std::signbit(double(Expansion<half, 2>(f64x2(1) - f64x2(1)).limb[0])));
}

TEST(Convert, PlainNumbersAsOneByOne) {
  expect_conversions<double>();
  expect_conversions<float>();
  expect_conversions<half>();
  expect_conversions<bfloat16>();
}

TEST(Convert, FewAndStridedNumbers) {
  for (std::int64_t count = 0; count < 40; ++count) {
    const auto x = rand<float>({count, 2}, std::uint64_t(count)).narrow(1, 1, 1);
    const auto y = convert<bfloat16, 1>(x);
    ASSERT_EQ(y.shape(), x.shape());
    const auto values = x.flatten().values();
    for (std::int64_t i = 0; i < count; ++i)
      ASSERT_EQ(y.data()[i].bits(), bfloat16(values[std::size_t(i)]).bits());
  }
}

TEST(Convert, TheSameTypeIsACopy) {
  const auto x = rand<float>({5}, 1);
  const auto y = convert<float, 1>(x);
  EXPECT_NE(x.data(), y.data());
  EXPECT_TRUE(same(x, y));
}

/// Two numbers in a word, as the threads of a GPU read and store them.
template <class T>
void expect_word(float first, float second, std::uint32_t word) {
  using Words = kernels::ShortWords<T>;
  EXPECT_EQ(Words::pack(first, second), word);
  EXPECT_EQ(Words::first(word), first);
  EXPECT_EQ(Words::second(word), second);
}
TEST(Convert, TwoShortNumbersInAWord) {
  expect_word<bfloat16>(1.5F, -2, 0xc0003fc0);
  expect_word<half>(1.5F, -2, 0xc0003e00);
}

}  // namespace
}  // namespace mct::test
