// Element-wise operations of a GPU, on a simulated one: bit for bit the library's.
#include <gtest/gtest.h>

#include "cuda/tensor/pointwise.hpp"
#include "mctensor/device/elementwise.hpp"
#include "mctensor/tensor/create.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/cuda/tensor_bits.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

// what src/device/elementwise_f32x2.cpp starts
#define MCT_UNARY(op) MCT_SIMULATE_PROGRAM(UnaryMap<Unary::op, float, 2>)
#define MCT_BINARY(op) MCT_SIMULATE_PROGRAM(BinaryMap<Binary::op, float, 2>)
MCT_UNARY(neg)
MCT_UNARY(abs)
MCT_UNARY(square)
MCT_UNARY(sqrt)
MCT_UNARY(rsqrt)
MCT_UNARY(relu)
MCT_BINARY(add)
MCT_BINARY(sub)
MCT_BINARY(mul)
MCT_BINARY(div)
MCT_BINARY(maximum)
MCT_BINARY(minimum)
MCT_SIMULATE_PROGRAM(TernaryMap<Ternary::mul_add, float, 2>)
MCT_SIMULATE_PROGRAM(TernaryMap<Ternary::clamp, float, 2>)
#undef MCT_UNARY
#undef MCT_BINARY

}  // namespace mct::cuda

namespace {

using namespace mct::cuda;
using mct::Binary;
using mct::Shape;
using mct::Tensor;
using mct::Ternary;
using mct::Unary;
using mct::testing::expect_bits;
using mct::testing::mixed_values;

TEST(Elementwise, OperationsOfTensorsAreTheLibrarys) {
  const auto x = mixed_values<float, 2>({3, 25}, 1);
  const auto y = mixed_values<float, 2>({3, 25}, 2).flatten().slice(0, 0, 75, 1).reshape({3, 25});
  const auto z = mixed_values<float, 2>({3, 25}, 3);
  const auto a = to_device(x);
  const auto b = to_device(y);
  const auto c = to_device(z);
  Tensor<float, 2> want({3, 25});
  for (int op = 0; op < int(Unary::exp); ++op) {
    mct::tensor_detail::run_unary(Unary(op), want, x);
    expect_bits(to_host(apply(Unary(op), a)), want, "unary " + std::to_string(op));
  }
  for (int op = 0; op < int(Binary::pow); ++op) {
    mct::tensor_detail::run_binary(Binary(op), want, x, y);
    expect_bits(to_host(apply(Binary(op), a, b)), want, "binary " + std::to_string(op));
  }
  for (int op = 0; op < int(Ternary::count); ++op) {
    mct::tensor_detail::run_ternary(Ternary(op), want, x, y, z);
    expect_bits(to_host(apply(Ternary(op), a, b, c)), want, "ternary " + std::to_string(op));
  }
}

TEST(Elementwise, OneElementStandsForAll) {
  const auto x = mixed_values<float, 2>({9}, 1);
  const auto one = mct::rand<float, 2>({1, 1}, 5);
  Tensor<float, 2> want({9});
  mct::tensor_detail::run_binary(Binary::sub, want, one.reshape({1}), x);
  expect_bits(to_host(apply(Binary::sub, to_device(one), to_device(x))), want, "one - x");
  mct::tensor_detail::run_binary(Binary::sub, want, x, one.reshape({1}));
  expect_bits(to_host(apply(Binary::sub, to_device(x), to_device(one))), want, "x - one");
}

TEST(Elementwise, SizesAndAlignments) {
  const auto memory = DeviceMemory::allocate(4096, default_stream());
  auto* const data = static_cast<float*>(memory.data());
  for (const std::int64_t count : {0, 1, 3, 4, 5, 1023, 1025}) {
    const auto x = mct::rand<float, 2>({count}, 5);
    Tensor<float, 2> want({count});
    mct::tensor_detail::run_unary(Unary::square, want, x);
    expect_bits(to_host(apply(Unary::square, to_device(x))), want, std::to_string(count));
    if (count > 100) continue;
    for (const std::int64_t shift : {0, 1, 4}) {  // planes at a distance that is no multiple of 16
      const auto view =
          DeviceTensor<float, 2>::from_memory(data + shift, {count}, default_stream(), 101 + shift);
      for (int l = 0; l < 2; ++l)
        copy(view.data(l), x.data(l), std::size_t(count) * sizeof(float), default_stream());
      expect_bits(to_host(apply(Unary::square, view)), want, std::to_string(shift));
    }
  }
}

TEST(Elementwise, RefusesWhatDoesNotFit) {
  const auto x = DeviceTensor<float, 2>::uninitialized({2, 3});
  const auto y = DeviceTensor<float, 2>::uninitialized({3, 2});
  EXPECT_THROW(apply(Binary::add, x, y), mct::ShapeError);
  EXPECT_THROW(apply(Ternary::clamp, x, x, y), mct::ShapeError);
  EXPECT_THROW(apply(Unary::exp, x), mct::DeviceError);
  EXPECT_THROW(apply(Unary::count, x), mct::DeviceError);
  EXPECT_THROW(apply(Binary::pow, x, x), mct::DeviceError);
  EXPECT_THROW(apply(Unary::neg, DeviceTensor<float, 2>()), mct::DeviceError);
}

TEST(Elementwise, ResultsInMemoryThatIsThere) {
  const auto x = mixed_values<float, 2>({9}, 1);
  const auto y = mixed_values<float, 2>({9}, 2);
  const auto a = to_device(x);
  Tensor<float, 2> want({9});
  mct::tensor_detail::run_binary(Binary::mul, want, x, y);
  apply_to(a, Binary::mul, a, to_device(y));  // an operand, too
  expect_bits(to_host(a), want, "x *= y");
  for (const Shape& shape : {Shape{3, 3}, Shape{8}, Shape{}})
    EXPECT_THROW(apply_to(DeviceTensor<float, 2>::uninitialized(shape), Unary::neg, a),
                 mct::ShapeError);
}

/// A program by itself, of a type whose others are not compiled here.
template <class Program, class T, int N, class... X>
Tensor<T, N> run_program(const Tensor<T, N>& like, const X&... x) {
  Tensor<T, N> out(like.shape());
  GlobalMemory memory;
  const auto add = [&](const auto& tensor) {
    for (int l = 0; l < N; ++l) {
      memory.add_memory(tensor.data(l), std::size_t(tensor.numel()) * sizeof(T));
      memory.copied_to(tensor.data(l), std::size_t(tensor.numel()) * sizeof(T));
    }
  };
  (add(x), ...);
  for (int l = 0; l < N; ++l) memory.add_memory(out.data(l), std::size_t(out.numel()) * sizeof(T));
  const auto operand = [](const auto& tensor) {
    return MapOperand<T, N>{{tensor.data(), tensor.plane_stride()}, false};
  };
  Program program{{}, {out.data(), out.plane_stride()}, {}, out.numel(), true};
  if constexpr (sizeof...(X) == 1)
    program.operands = {operand(x...), {}};
  else if constexpr (sizeof...(X) == 2)
    program.operands = [&](const auto& a, const auto& b) -> decltype(program.operands) {
      return {operand(a), {operand(b), {}}};
    }(x...);
  const int blocks = int((out.numel() + Program::of_block - 1) / Program::of_block);
  simulate(program, {blocks}, memory);
  return out;
}

template <Unary Op, class T, int N>
void expect_unary() {
  const auto x = mixed_values<T, N>({301}, 7);
  Tensor<T, N> want(x.shape());
  mct::tensor_detail::run_unary(Op, want, x);
  expect_bits(run_program<UnaryMap<Op, T, N>>(x, x), want, "unary " + std::to_string(int(Op)));
}
template <Binary Op, class T, int N>
void expect_binary() {
  const auto x = mixed_values<T, N>({301}, 7);
  const auto y = mixed_values<T, N>({304}, 8).narrow(0, 3, 301).clone();
  Tensor<T, N> want(x.shape());
  mct::tensor_detail::run_binary(Op, want, x, y);
  expect_bits(run_program<BinaryMap<Op, T, N>>(x, x, y), want, "binary " + std::to_string(int(Op)));
}

TEST(Elementwise, ArithmeticOfOtherTypes) {
  expect_binary<Binary::add, double, 2>();
  expect_binary<Binary::mul, double, 2>();
  expect_binary<Binary::div, double, 2>();
  expect_unary<Unary::sqrt, double, 2>();
  expect_binary<Binary::add, double, 3>();
  expect_binary<Binary::mul, double, 3>();
  expect_binary<Binary::div, double, 3>();
  expect_binary<Binary::div, double, 1>();
  expect_binary<Binary::maximum, double, 1>();
  expect_binary<Binary::add, mct::bfloat16, 2>();
  expect_binary<Binary::mul, mct::bfloat16, 2>();
  expect_binary<Binary::minimum, mct::bfloat16, 2>();
}

TEST(Elementwise, FunctionsOfPlainNumbers) {
  expect_unary<Unary::exp, double, 1>();
  expect_unary<Unary::log, double, 1>();
  expect_binary<Binary::pow, double, 1>();
  expect_unary<Unary::exp, float, 1>();
  expect_unary<Unary::tanh, float, 1>();
  expect_unary<Unary::gelu, float, 1>();
  expect_unary<Unary::sin, float, 1>();
  expect_unary<Unary::rsqrt, float, 1>();
  expect_binary<Binary::hypot, float, 1>();
}

TEST(Elementwise, FunctionsOfExpansions) {
  expect_unary<Unary::exp, double, 2>();
  expect_unary<Unary::log1p, double, 2>();
  expect_unary<Unary::asinh, double, 2>();
  expect_unary<Unary::cos, double, 2>();
  expect_unary<Unary::gelu, double, 2>();
}

/// A fused chain of operations, as a function of one's own.
struct ScaledSquare {
  static constexpr bool is_long = false;
  mct::f64x2 scale = mct::f64x2(1) / 3;

  MCT_BLOCK mct::f64x2 operator()(const mct::f64x2& x, const mct::f64x2& y) const {
    return scale * (x * x) + y;
  }
};

TEST(Elementwise, FunctionsOfOnesOwn) {
  const auto x = mct::rand<double, 2>({37}, 1);
  const auto y = mct::rand<double, 2>({37}, 2);
  const auto got = run_program<Map<ScaledSquare, double, 2, 2, 2>>(x, x, y);
  for (std::int64_t i = 0; i < 37; ++i) {
    const mct::f64x2 want = mct::f64x2(1) / 3 * (x(i) * x(i)) + y(i);
    EXPECT_EQ(got(i), want);
  }
}

}  // namespace
