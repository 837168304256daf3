// Products and triangular solves on strided memory: the bits of the products of tensors, MPFR for
// what these do not have; every order of rows and columns, borders of blocks, special values.
#include "mctensor/linalg/strided.hpp"

#include "tests/linalg/product_oracle.hpp"
#include "tests/tensor/tensors.hpp"

namespace mct::test::strided_cases {
namespace {

using linalg::Diagonal;
using linalg::Half;
using linalg::Strided;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Calls f.operator()<T, N>() for every type of several components.
template <class F>
void for_each_long(const F& f) {
  for_each_type([&]<class T, int N>() {
    if constexpr (N > 1) f.template operator()<T, N>();
  });
}

enum class Order { rows, columns, sparse };  // sparse: with other numbers between
constexpr Order orders[] = {Order::rows, Order::columns, Order::sparse};

/// A matrix in memory of its own.
template <class T, int N>
class Matrix {
 public:
  using X = Expansion<T, N>;

  Matrix(const Tensor<T, N>& x, Order order)
      : order_(order), rows_(x.size(0)), columns_(x.size(1)) {
    memory_.assign(std::size_t(6 * rows_ * columns_ + 1), X(T(7)));
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = 0; j < columns_; ++j) view()(i, j) = x.at({i, j});
  }
  Strided<X> view() {
    if (order_ == Order::rows) return {memory_.data(), rows_, columns_, columns_, 1};
    if (order_ == Order::columns) return {memory_.data(), rows_, columns_, 1, rows_};
    return {memory_.data(), rows_, columns_, 2, 3 * rows_};
  }
  Strided<const X> constant() {
    const auto v = view();
    return {v.data, v.rows, v.columns, v.row_stride, v.column_stride};
  }
  Tensor<T, N> tensor() {
    Tensor<T, N> x({rows_, columns_});
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = 0; j < columns_; ++j) x.set({i, j}, view()(i, j));
    return x;
  }
  /// Numbers that are none of the matrix's, and are not 7 any more.
  std::int64_t strangers_changed() {
    std::int64_t changed = 0;
    for (const X& x : memory_) changed += x == X(T(7)) ? 0 : 1;
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = 0; j < columns_; ++j) changed -= view()(i, j) == X(T(7)) ? 0 : 1;
    return changed;
  }

 private:
  Order order_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<X> memory_;
};

template <class T>
constexpr int spread_of = std::is_same_v<T, half> ? 0 : 4;

template <class T, int N>
void check_gemm(const Shape& s) {
  using X = Expansion<T, N>;
  const auto a = random_tensor<T, N>({s[0], s[1]}, 1, spread_of<T>);
  const auto b = random_tensor<T, N>({s[1], s[2]}, 2, spread_of<T>);
  const auto c = random_tensor<T, N>({s[0], s[2]}, 3, spread_of<T>);
  const auto product = mm(a, b);
  const auto turned = mm(b.t(), a.t()).t();  // what is computed where c lies in columns
  const X alpha = X(T(3)) / X(T(7));
  const X beta = X(T(-5)) / X(T(3));
  const auto all_alpha = full<T, N>({s[0], s[2]}, alpha);
  const auto all_beta = full<T, N>({s[0], s[2]}, beta);
  for (const Order order : orders) {
    Matrix<T, N> ma(a, order);
    Matrix<T, N> mb(b, orders[(int(order) + 1) % 3]);
    const auto result = [&](const X& by, const X& keep) {
      Matrix<T, N> mc(c, order);
      linalg::gemm<T, N>(by, ma.constant(), mb.constant(), keep, mc.view());
      EXPECT_EQ(mc.strangers_changed(), 0);
      return mc.tensor();
    };
    const bool by_rows = (order == Order::rows && s[2] > 1) || s[0] == 1;
    const auto& p = by_rows ? product : turned;
    EXPECT_TRUE(same(result(X(T(1)), X{}), product));
    if (s[1] == 1) {  // an outer product is added in one operation
      const auto outer = by_rows ? mul_add(a, b, c) : mul_add(b, a, c);
      const auto minus = by_rows ? mul_add(neg(a), b, c) : mul_add(neg(b), a, c);
      EXPECT_TRUE(same(result(X(T(1)), X(T(1))), outer));
      EXPECT_TRUE(same(result(X(T(-1)), X(T(1))), minus));
    } else {
      EXPECT_TRUE(same(result(X(T(1)), X(T(1))), add(c, p)));
      EXPECT_TRUE(same(result(X(T(-1)), X(T(1))), sub(c, p)));
    }
    // mul of two components does not commute: the factors in the order of the function
    EXPECT_TRUE(same(result(alpha, X{}), mul(all_alpha, p)));
    EXPECT_TRUE(same(result(X(T(1)), beta), add(mul(all_beta, c), p)));
    // one operation for both: within the roundings of two
    const auto both = result(alpha, beta);
    const auto expected = add(mul(p, alpha), mul(c, beta));
    const auto size = add(abs(mul(p, alpha)), abs(mul(c, beta)));
    const double unit = std::ldexp(64.0, -N * FloatTraits<T>::p);
    for (std::int64_t i = 0; i < s[0]; ++i)
      for (std::int64_t j = 0; j < s[2]; ++j) {
        const double difference = double(abs(both.at({i, j}) - expected.at({i, j})).limb[0]);
        EXPECT_LE(difference,
                  unit * double(size.at({i, j}).limb[0]) + 64 * double(FloatTraits<T>::eta));
      }
  }
}

TEST(Strided, GemmHasTheBitsOfTensors) {
  for_each_long([]<class T, int N>() {
    for (const Shape& s : {Shape{1, 1, 1}, Shape{3, 0, 2}, Shape{5, 3, 7}, Shape{2, 37, 1},
                           Shape{1, 40, 33}, Shape{9, 1, 1}, Shape{0, 3, 2}, Shape{2, 3, 0}})
      check_gemm<T, N>(s);
  });
  check_gemm<double, 2>({520, 4, 6});  // more than a block of rows, of columns
  check_gemm<double, 2>({3, 5, 1100});
}

TEST(Strided, ShapesThatDoNotFitAreRefused) {
  const Tensor<double, 2> x({2, 3});
  const Tensor<double, 2> square({3, 3});
  Matrix<double, 2> a(x, Order::rows);
  Matrix<double, 2> b(x, Order::rows);
  Matrix<double, 2> c(x, Order::rows);
  Matrix<double, 2> s(square, Order::rows);
  EXPECT_THROW((linalg::gemm<double, 2>(1, a.constant(), b.constant(), 1, c.view())), ShapeError);
  EXPECT_THROW((linalg::gemmt<double, 2>(Half::lower, 1, a.constant(), s.constant(), c.view())),
               ShapeError);
  EXPECT_THROW((linalg::trsm<double, 2>(Half::lower, Diagonal::stored, a.constant(), c.view())),
               ShapeError);
  EXPECT_THROW((linalg::trsm<double, 2>(Half::lower, Diagonal::zeros, s.constant(), s.view())),
               DomainError);
}

TEST(Strided, OneHalfOfAProduct) {
  const auto check = []<class T, int N>(std::int64_t n, std::int64_t k) {
    const auto a = random_tensor<T, N>({n, k}, 1, spread_of<T>);
    const auto b = random_tensor<T, N>({k, n}, 2, spread_of<T>);
    const auto c = random_tensor<T, N>({n, n}, 3, spread_of<T>);
    for (const Order order : orders)
      for (const Half half : {Half::lower, Half::upper}) {
        const auto p = order == Order::rows ? mm(a, b) : mm(b.t(), a.t()).t();
        const auto sum = sub(c, p);
        Matrix<T, N> ma(a, Order::columns);
        Matrix<T, N> mb(b, Order::columns);
        Matrix<T, N> mc(c, order);
        linalg::gemmt<T, N>(half, Expansion<T, N>(T(-1)), ma.constant(), mb.constant(), mc.view());
        EXPECT_EQ(mc.strangers_changed(), 0);
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = 0; j < n; ++j) {
            const bool inside = half == Half::lower ? j <= i : j >= i;
            if (!same(mc.view()(i, j), inside ? sum.at({i, j}) : c.at({i, j}))) ++wrong;
          }
        EXPECT_EQ(wrong, 0);
      }
  };
  for_each_long([&]<class T, int N>() { check.template operator()<T, N>(5, 3); });
  check.template operator()<double, 2>(150, 9);  // three blocks
}

TEST(Strided, AMatrixTimesItsTranspose) {
  const auto x = random_tensor<double, 2>({5, 3}, 1);
  const auto c = random_tensor<double, 2>({5, 5}, 2);
  Matrix<double, 2> mx(x, Order::columns);
  for (const bool swapped : {false, true}) {
    const Strided a = swapped ? mx.constant().transposed() : mx.constant();
    const auto sum = add(c.narrow(0, 0, a.rows).narrow(1, 0, a.rows),
                         mul(swapped ? mm(x.t(), x) : mm(x, x.t()), f64x2(3)));
    Matrix<double, 2> mc(c.narrow(0, 0, a.rows).narrow(1, 0, a.rows).contiguous(), Order::rows);
    linalg::syrk<double, 2>(Half::lower, 3, a, mc.view());
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t j = 0; j < a.rows; ++j)
        EXPECT_TRUE(same(mc.view()(i, j), j <= i ? sum.at({i, j}) : c.at({i, j})));
  }
}

/// The triangular or trapezoidal matrix itself.
template <class T, int N>
Tensor<T, N> triangle(const Tensor<T, N>& a, Half half, Diagonal diagonal) {
  Tensor<T, N> t(a.shape());
  for (std::int64_t i = 0; i < a.size(0); ++i)
    for (std::int64_t j = 0; j < a.size(1); ++j) {
      if (i == j && diagonal != Diagonal::stored)
        t.set({i, j}, Expansion<T, N>(T(diagonal == Diagonal::ones ? 1 : 0)));
      else if (i == j || (i > j) == (half == Half::lower))
        t.set({i, j}, a.at({i, j}));
    }
  return t;
}

/// The largest |c - t b| / (u^N |t| |b|).
template <class T, int N>
double largest_error(const Tensor<T, N>& t, const Tensor<T, N>& b, const Tensor<T, N>& c) {
  ProductOracle oracle;
  double largest = 0;
  for (std::int64_t i = 0; i < t.size(0); ++i)
    for (std::int64_t j = 0; j < b.size(1); ++j) {
      oracle.clear();
      for (std::int64_t l = 0; l < t.size(1); ++l) oracle.add(t.at({i, l}), b.at({l, j}));
      largest = std::max(largest, oracle.error(c.at({i, j})));
    }
  return largest;
}

constexpr Half halves[] = {Half::lower, Half::upper};

TEST(Strided, ProductsOfTriangles) {
  const auto check = []<class T, int N>(std::int64_t m, std::int64_t k, std::int64_t n) {
    const auto a = random_tensor<T, N>({m, k}, 1, spread_of<T>);
    const auto b = random_tensor<T, N>({k, n}, 2, spread_of<T>);
    const Tensor<T, N> zero({m, n});
    for (const Order order : orders)
      for (const Half half : halves)
        for (const Diagonal diagonal : {Diagonal::stored, Diagonal::ones, Diagonal::zeros}) {
          Matrix<T, N> ma(a, order);
          Matrix<T, N> mb(b, Order::rows);
          Matrix<T, N> mc(zero, order);
          linalg::trmm<T, N>(half, diagonal, Expansion<T, N>(T(1)), ma.constant(), mb.constant(),
                             mc.view());
          EXPECT_EQ(mc.strangers_changed(), 0);
          EXPECT_LE((largest_error<T, N>(triangle(a, half, diagonal), b, mc.tensor())),
                    (product_bound<T, N>(double(k))));
        }
  };
  for_each_long([&]<class T, int N>() { check.template operator()<T, N>(5, 3, 2); });
  check.template operator()<double, 2>(70, 70, 3);
  check.template operator()<double, 2>(80, 67, 3);
  check.template operator()<double, 2>(3, 90, 2);
}

TEST(Strided, TriangularSystems) {
  const auto check = []<class T, int N>(std::int64_t n, std::int64_t columns) {
    auto a = random_tensor<T, N>({n, n}, 1, 0);
    const auto b = random_tensor<T, N>({n, columns}, 2, 0);
    for (std::int64_t i = 0; i < n; ++i) a.set({i, i}, a.at({i, i}) + Expansion<T, N>(T(2)));
    for (const Order order : orders)
      for (const Half half : halves)
        for (const Diagonal diagonal : {Diagonal::stored, Diagonal::ones}) {
          Matrix<T, N> ma(a, order);
          Matrix<T, N> mx(b, orders[(int(order) + 1) % 3]);
          linalg::trsm<T, N>(half, diagonal, ma.constant(), mx.view());
          EXPECT_EQ(mx.strangers_changed(), 0);
          EXPECT_LE((largest_error<T, N>(triangle(a, half, diagonal), mx.tensor(), b)),
                    (product_bound<T, N>(double(n)) + 32 * double(n)));
        }
  };
  for_each_long([&]<class T, int N>() {
    if constexpr (!std::is_same_v<T, half>) {  // whose numbers end where the solutions go
      check.template operator()<T, N>(3, 5);
      check.template operator()<T, N>(21, 2);
    }
  });
  check.template operator()<double, 2>(70, 3);
  check.template operator()<double, 2>(5, 300);  // several pieces of columns
}

TEST(Strided, SpecialValues) {
  using X = f64x2;
  const X a[] = {X(1), X(2), X(0), X(4)};
  const auto product = [&](const X& first, const X& second, const X& beta) {
    const X b[] = {first, second};
    X c[] = {X(nan), X(nan)};
    linalg::gemm<double, 2>(1, {a, 2, 2, 2, 1}, {b, 2, 1, 1, 1}, beta, {c, 2, 1, 1, 1});
    return std::pair(c[0].limb[0], c[1].limb[0]);
  };
  EXPECT_EQ(product(1, 1, 0), std::pair(3.0, 4.0));  // zero times the old is not read
  EXPECT_TRUE(std::isnan(product(1, 1, 1).first));
  EXPECT_EQ(product(X(inf), 1, 0).first, inf);
  EXPECT_TRUE(std::isnan(product(X(inf), 1, 0).second));  // 0 inf
  EXPECT_TRUE(std::isnan(product(X(nan), 1, 0).first));
  X x[] = {X(1), X(inf)};
  linalg::trsm<double, 2>(Half::lower, Diagonal::stored, {a, 2, 2, 2, 1}, {x, 2, 1, 1, 1});
  EXPECT_EQ(x[0].limb[0], 1);
  EXPECT_EQ(x[1].limb[0], inf);
}

TEST(Strided, ThreadsDoNotMatter) {
  const auto a = random_tensor<double, 2>({140, 60}, 1);
  const auto b = random_tensor<double, 2>({60, 140}, 2);
  const auto t = random_tensor<double, 2>({60, 60}, 3, 0);
  const auto run = [&](int threads) {
    const int before = num_threads();
    set_num_threads(threads);
    Matrix<double, 2> ma(a, Order::columns);
    Matrix<double, 2> mb(b, Order::columns);
    Matrix<double, 2> mt(t, Order::columns);
    Matrix<double, 2> mc(Tensor<double, 2>({140, 140}), Order::columns);
    linalg::trsm<double, 2>(Half::lower, Diagonal::ones, mt.constant(), mb.view());
    linalg::gemmt<double, 2>(Half::upper, 3, ma.constant(), mb.constant(), mc.view());
    linalg::gemm<double, 2>(-1, ma.constant(), mb.constant(), 1, mc.view());
    set_num_threads(before);
    return mc.tensor();
  };
  EXPECT_TRUE(same(run(1), run(3)));
}

TEST(Strided, ThreadsDoNotChooseThePathOfAProduct) {
  // more columns than a block has: the last ones alone would be too few for products of integers
  const auto a = random_tensor<double, 3>({130, 130}, 1);
  const auto b = random_tensor<double, 3>({130, 1100}, 2);
  const auto run = [&](int threads) {
    const int before = num_threads();
    set_num_threads(threads);
    Matrix<double, 3> ma(a, Order::rows);
    Matrix<double, 3> mb(b, Order::rows);
    Matrix<double, 3> mc(Tensor<double, 3>({130, 1100}), Order::rows);
    linalg::gemm<double, 3>(-1, ma.constant(), mb.constant(), 1, mc.view());
    set_num_threads(before);
    return mc.tensor();
  };
  const auto one = run(1);
  EXPECT_TRUE(same(one, run(2)));
  EXPECT_TRUE(same(one, run(3)));
}

}  // namespace
}  // namespace mct::test::strided_cases
