// Products of complex matrices against MPFR, each part against its own bound.
#include "mctensor/linalg/complex_products.hpp"
#include "tests/linalg/product_oracle.hpp"

namespace mct::test::complex_products_cases {
namespace {

template <class T, int N>
using Complex = ComplexTensor<T, N>;

template <class T, int N>
Complex<T, N> random_complex(const Shape& shape, std::uint64_t seed, int spread) {
  return {random_tensor<T, N>(shape, seed, spread), random_tensor<T, N>(shape, seed + 100, spread)};
}

/// f(oracle, value, i, j) for both parts of every element of c = a b.
template <class T, int N, class F>
void for_each_part(const Complex<T, N>& a, const Complex<T, N>& b, const Complex<T, N>& c,
                   const F& f) {
  ProductOracle oracle;
  const auto at = [](const Tensor<T, N>& x, std::int64_t i, std::int64_t j) {
    return as_expansion<T, N>(x.at({i, j}));
  };
  for (std::int64_t i = 0; i < a.real.size(0); ++i) {
    for (std::int64_t j = 0; j < b.real.size(1); ++j) {
      oracle.clear();
      for (std::int64_t l = 0; l < a.real.size(1); ++l) {
        oracle.add(at(a.real, i, l), at(b.real, l, j));
        oracle.add(-at(a.imag, i, l), at(b.imag, l, j));
      }
      f(oracle, at(c.real, i, j), i, j);
      oracle.clear();
      for (std::int64_t l = 0; l < a.real.size(1); ++l) {
        oracle.add(at(a.real, i, l), at(b.imag, l, j));
        oracle.add(at(a.imag, i, l), at(b.real, l, j));
      }
      f(oracle, at(c.imag, i, j), i, j);
    }
  }
}

/// The largest error, in units of the componentwise bound.
template <class T, int N>
double componentwise(const Complex<T, N>& a, const Complex<T, N>& b, const Complex<T, N>& c) {
  double largest = 0;
  const double bound = product_bound<T, N>(2 * double(a.real.size(1)));
  for_each_part(a, b, c, [&](ProductOracle& oracle, const auto& value, std::int64_t, std::int64_t) {
    EXPECT_TRUE(is_normalized(value));
    largest = std::max(largest, oracle.error(value) / bound);
  });
  return largest;
}

/// The largest error, in units of the normwise bound.
template <int N>
double normwise(const Complex<double, N>& a, const Complex<double, N>& b,
                const Complex<double, N>& c) {
  const auto largest_of = [](const Complex<double, N>& x, int dim, std::int64_t line) {
    double largest = 0;
    for (const auto& part : {x.real, x.imag})
      for (int l = 0; l < N; ++l)
        largest = std::max(largest, abs(part.plane(l).narrow(dim, line, 1)).max().item());
    return largest;
  };
  double largest = 0;
  for_each_part(a, b, c,
                [&](ProductOracle& oracle, const auto& value, std::int64_t i, std::int64_t j) {
                  oracle.set_reference(normwise_bound<N>(2 * double(a.real.size(1))),
                                       largest_of(a, 0, i), largest_of(b, 1, j));
                  largest = std::max(largest, oracle.error(value));
                });
  return largest;
}

/// Real parts whose two sums cancel but for the last limb of one product, and imaginary parts that
/// do so within themselves.
template <class T, int N>
void make_parts_cancel(const Complex<T, N>& a, const Complex<T, N>& b) {
  a.imag.copy_(a.real);
  b.imag.copy_(b.real);
  mul_(b.imag.select(0, 0).plane(N - 1), T(0.5));
  a.imag.select(0, 0).copy_(neg(a.real.select(0, 0)));
}

template <class T, int N>
void check_type() {
  for (const Shape& s : {Shape{1, 1, 1}, Shape{3, 0, 2}, Shape{5, 37, 6}}) {
    const int spread = std::is_same_v<T, half> ? 0 : 4;  // there products have all their bits
    const auto a = random_complex<T, N>({s[0], s[1]}, 1, spread);
    const auto b = random_complex<T, N>({s[1], s[2]}, 2, spread);
    EXPECT_LE(componentwise(a, b, mm(a, b)), 1) << to_string(s);
    if (s[1] == 0) continue;
    make_parts_cancel(a, b);
    EXPECT_LE(componentwise(a, b, mm(a, b)), 1) << to_string(s);
  }
}

TEST(ComplexProducts, AreWithinTheBoundOfTheirParts) {
  for_each_type([]<class T, int N>() { check_type<T, N>(); });
}

TEST(ComplexProducts, NormwiseOnesToo) {
  const auto check = []<int N>(std::integral_constant<int, N>) {
    const auto a = random_complex<double, N>({5, 33}, 1, 6);
    const auto b = random_complex<double, N>({33, 4}, 2, 6);
    mul_(a.real.select(0, 1), 0x1p300);  // one part far above the other
    mul_(b.imag.select(1, 2), 0x1p-400);
    mul_(a.imag.select(0, 2), 0.0);
    EXPECT_LE(normwise(a, b, mm(a, b, MatmulAccuracy::normwise)), 1.001);
    make_parts_cancel(a, b);
    EXPECT_LE(normwise(a, b, mm(a, b, MatmulAccuracy::normwise)), 1.001);
  };
  check(std::integral_constant<int, 1>{});
  check(std::integral_constant<int, 2>{});
  check(std::integral_constant<int, 3>{});
}

TEST(ComplexProducts, LargeOnesGoThroughIntegers) {
  // within the componentwise bound, with the bits of the exact sum that both accuracies round
  const auto random = [](const Shape& shape, std::uint64_t seed) {
    return Complex<double, 3>{rand<double, 3>(shape, seed) + 1.0,
                              rand<double, 3>(shape, seed + 100) + 1.0};
  };
  const auto a = random({130, 128}, 1);
  const auto b = random({128, 128}, 2);
  const auto c = mm(a, b);
  const Complex<double, 3> first_row{a.real.narrow(0, 0, 1), a.imag.narrow(0, 0, 1)};
  const auto in_floating_point = mm(first_row, b);
  EXPECT_FALSE(same(in_floating_point.imag, c.imag.narrow(0, 0, 1).contiguous()));
  const Complex<double, 3> first_of_c{c.real.narrow(0, 0, 1), c.imag.narrow(0, 0, 1)};
  EXPECT_LE(componentwise(first_row, b, first_of_c), 1);
}

/// (ar -ai; ai ar) (br; bi), a real product.
template <int N>
Tensor<double, N> joined(const Complex<double, N>& a, const Complex<double, N>& b) {
  const std::int64_t m = a.real.size(0);
  const std::int64_t k = a.real.size(1);
  const Tensor<double, N> left({2 * m, 2 * k});
  const Tensor<double, N> right({2 * k, b.real.size(1)});
  for (int part = 0; part < 2; ++part) {
    const auto rows = left.narrow(0, part * m, m);
    rows.narrow(1, 0, k).copy_(part == 0 ? a.real : a.imag);
    rows.narrow(1, k, k).copy_(part == 0 ? neg(a.imag) : a.real);
    right.narrow(0, part * k, k).copy_(part == 0 ? b.real : b.imag);
  }
  return mm(left, right, MatmulAccuracy::normwise);
}

TEST(ComplexProducts, ThreeProductsOfIntegersGiveTheBitsOfFour) {
  const auto check = []<int N>(std::integral_constant<int, N>) {
    for (const Shape& s :
         {Shape{1, 1, 1}, Shape{5, 33, 50}, Shape{37, 2053, 3}, Shape{530, 7, 600}}) {
      const auto a = random_complex<double, N>({s[0], s[1]}, 1, 6);
      const auto b = random_complex<double, N>({s[1], s[2]}, 2, 6);
      mul_(a.imag.select(0, 0), 0x1p40);
      mul_(b.real.select(1, 0), 0.0);
      const auto c = mm(a, b, MatmulAccuracy::normwise);
      const auto expected = joined(a, b);
      EXPECT_TRUE(same(c.real.contiguous(), expected.narrow(0, 0, s[0]).contiguous()));
      EXPECT_TRUE(same(c.imag.contiguous(), expected.narrow(0, s[0], s[0]).contiguous()));
    }
  };
  check(std::integral_constant<int, 1>{});
  check(std::integral_constant<int, 2>{});
  check(std::integral_constant<int, 3>{});
}

TEST(ComplexProducts, SpecialValuesAreThoseOfTheFormulas) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto number = [](double re, double im) {
    return Complex<double, 2>{full<double, 2>({1, 1}, f64x2(re)),
                              full<double, 2>({1, 1}, f64x2(im))};
  };
  const auto check = [&](double ar, double ai, double br, double bi) {
    for (const auto accuracy : {MatmulAccuracy::componentwise, MatmulAccuracy::normwise}) {
      const auto c = mm(number(ar, ai), number(br, bi), accuracy);
      const auto expect = [](double got, double want) {
        EXPECT_TRUE(got == want || (std::isnan(got) && std::isnan(want))) << got << " " << want;
      };
      expect(c.real.item().limb[0], ar * br - ai * bi);
      expect(c.imag.item().limb[0], ar * bi + ai * br);
    }
  };
  check(inf, 0, 1, 0);  // no Annex G: the imaginary part is inf * 0
  check(inf, inf, 1, 2);
  check(1, -inf, 2, 3);
  check(nan, 1, 1, 0);
  check(1, 2, 3, nan);
  check(0, 0, 5, -7);
  check(0x1p1000, 0x1p1000, 0x1p23, 0x1p23);    // 0, and an overflow
  check(0x1p1000, -0x1p1000, 0x1p23, -0x1p23);  // 0 and minus infinity
  check(0x1p-600, 0x1p-600, 0x1p-400, 0x1p-400);
}

TEST(ComplexProducts, BatchesLayoutsAndShapes) {
  const auto a = random_complex<double, 2>({2, 3, 4}, 1, 4);
  const auto b = random_complex<double, 2>({2, 4, 5}, 2, 4);
  const auto c = bmm(a, b);
  const auto one = [](const Complex<double, 2>& x) {
    return Complex<double, 2>{x.real[1], x.imag[1]};
  };
  const auto last = mm(one(a), one(b));
  EXPECT_TRUE(same(c.real[1].contiguous(), last.real.contiguous()));
  EXPECT_TRUE(same(c.imag[1].contiguous(), last.imag.contiguous()));
  // a^H a is real and positive on its diagonal, and a braced pair is an operand
  const auto x = one(a);
  const auto gram = mm({x.real.t(), neg(x.imag.t())}, x);
  for (std::int64_t i = 0; i < 4; ++i) {
    EXPECT_GT(gram.real(i, i), 0);
    EXPECT_LE(abs(gram.imag(i, i)), 0x1p-90 * gram.real(i, i));
  }
  EXPECT_EQ(message_of<ShapeError>([&] { mm(one(a), one(a)); }),
            "mm: complex shapes (3, 4) and (3, 4) do not fit, expected (m, k) and (k, n)");
  EXPECT_THROW(mm(a, b), ShapeError);
  EXPECT_THROW(bmm(x, x), ShapeError);
  EXPECT_THROW(bmm(a, {b.real.narrow(0, 0, 1), b.imag.narrow(0, 0, 1)}), ShapeError);
  EXPECT_EQ(
      message_of<ShapeError>([&] {
        mm({x.real, x.real.t()}, x);
      }),
      "mm: the real and the imaginary part of an operand have different shapes, (3, 4) and (4, 3)");
}

}  // namespace
}  // namespace mct::test::complex_products_cases
