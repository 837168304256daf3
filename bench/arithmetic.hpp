// Single operations on arrays of numbers, chains of them, dot products and products of matrices:
// one loop and one measurement of errors for the number types of all libraries.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bench/kernels.hpp"
#include "bench/registry.hpp"
#include "validation/core/real.hpp"

namespace mct::bench::arithmetic {

/// Rows and columns of the matrices.
inline constexpr std::size_t order = 128;

/// What the operations work on.
template <int N>
struct Arguments {
  using X = Expansion<double, N>;
  using Numbers = std::vector<X>;
  Numbers x = random_vector<double, N>(1);
  Numbers y = random_vector<double, N>(2);
  Numbers opposite = x;                         // -x but for the last bits: sums that cancel
  Numbers positive = x;                         // between 0.1 and 9
  Numbers near_one = y;                         // products of 4096 stay in range
  Numbers left = square(3), right = square(7);  // matrices

  static const Arguments& get() {
    static const Arguments arguments;
    return arguments;
  }

 private:
  Arguments() {
    for (std::size_t i = 0; i < length; ++i) {
      opposite[i] = -(x[i] + x[i] * std::ldexp(1.0, -int(i % (53 * N))));
      positive[i] = 0.1 + 5 * abs(x[i]);
      near_one[i] = 1.0 + y[i] * 0x1p-20;
    }
  }
  static Numbers square(unsigned seed) {
    Numbers all;
    while (all.size() < order * order) {
      const Numbers more = random_vector<double, N>(seed++);
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }
};

// The operations: a name, and MPFR's function. Those of one operand ignore the second.
#define MCT_OPERATION(Name, text, formula)                         \
  struct Name {                                                    \
    static constexpr const char* name = text;                      \
    static void oracle(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b) { \
      static_cast<void>(b);                                        \
      formula;                                                     \
    }                                                              \
  };
MCT_OPERATION(Add, "add", mpfr_add(r, a, b, MPFR_RNDN))
MCT_OPERATION(Sub, "sub", mpfr_sub(r, a, b, MPFR_RNDN))
MCT_OPERATION(Mul, "mul", mpfr_mul(r, a, b, MPFR_RNDN))
MCT_OPERATION(Div, "div", mpfr_div(r, a, b, MPFR_RNDN))
MCT_OPERATION(Sqrt, "sqrt", mpfr_sqrt(r, a, MPFR_RNDN))
MCT_OPERATION(Exp, "exp", mpfr_exp(r, a, MPFR_RNDN))
MCT_OPERATION(Log, "log", mpfr_log(r, a, MPFR_RNDN))
MCT_OPERATION(Sin, "sin", mpfr_sin(r, a, MPFR_RNDN))
#undef MCT_OPERATION

/// The operations of a type that has operators, and functions that are found by its arguments. A
/// type that lacks one has no such case.
struct Operators {
  template <class V>
  static auto apply(Add, V& r, const V& a, const V& b) -> decltype(void(r = a + b)) {
    r = a + b;
  }
  template <class V>
  static auto apply(Sub, V& r, const V& a, const V& b) -> decltype(void(r = a - b)) {
    r = a - b;
  }
  template <class V>
  static auto apply(Mul, V& r, const V& a, const V& b) -> decltype(void(r = a * b)) {
    r = a * b;
  }
  template <class V>
  static auto apply(Div, V& r, const V& a, const V& b) -> decltype(void(r = a / b)) {
    r = a / b;
  }
  template <class V>
  static auto apply(Sqrt, V& r, const V& a, const V&) -> decltype(void(r = sqrt(a))) {
    r = sqrt(a);
  }
  template <class V>
  static auto apply(Exp, V& r, const V& a, const V&) -> decltype(void(r = exp(a))) {
    r = exp(a);
  }
  template <class V>
  static auto apply(Log, V& r, const V& a, const V&) -> decltype(void(r = log(a))) {
    r = log(a);
  }
  template <class V>
  static auto apply(Sin, V& r, const V& a, const V&) -> decltype(void(r = sin(a))) {
    r = sin(a);
  }
};

/// What peers have in common whose numbers are values, one or `width` in each. Kind offers: Value,
/// from(Expansion) or, for lanes, width and from(first of W expansions), and Operations, Operators
/// or its like.
template <int N, class Kind>
struct ValuesOf : Kind::Operations {
  using Value = typename Kind::Value;
  using Kind::Operations::apply;

  class Vector {
   public:
    explicit Vector(const std::vector<Expansion<double, N>>& numbers) {
      if constexpr (requires { Kind::width; }) {
        for (std::size_t i = 0; i < numbers.size(); i += Kind::width)
          values_.push_back(Kind::from(&numbers[i]));
      } else {
        for (const auto& x : numbers) values_.push_back(Kind::from(x));
      }
    }
    std::size_t size() const { return values_.size(); }
    Value& operator[](std::size_t i) { return values_[i]; }
    const Value& operator[](std::size_t i) const { return values_[i]; }
    const std::vector<Value>& values() const { return values_; }

   private:
    std::vector<Value> values_;
  };

 protected:
  static Value multiply_add(const Value& a, const Value& b, const Value& c) {
    Value product;
    apply(Mul(), product, a, b);
    Value sum;
    apply(Add(), sum, product, c);
    return sum;
  }
};

/// A peer whose numbers are values: a Kind of ValuesOf with read(Value, Real&), which is exact.
/// Products of matrices are three loops, the sums of a row beside one another.
template <int N, class Number>
struct Values : ValuesOf<N, Number> {
  using Value = typename Number::Value;
  using Vector = typename ValuesOf<N, Number>::Vector;
  using ValuesOf<N, Number>::multiply_add;

  static void read(const Vector& v, std::size_t k, validation::Real& out) {
    Number::read(v[k], out);
  }
  static void dot(const Vector& x, const Vector& y, Vector& r) {
    r[0] = bench::dot(x.values(), y.values(), multiply_add);
  }
  static void mm(const Vector& a, const Vector& b, Vector& c, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] = Value(0.0);
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j)
          c[i * n + j] = multiply_add(a[i * n + k], b[k * n + j], c[i * n + j]);
    }
  }
};

/// SIMD lanes: a Kind of ValuesOf with read(Value, lane, Real&), sum(Value), which has the sum of
/// the lanes in each, and broadcast(Value, lane).
template <int N, class Lanes>
struct Batches : ValuesOf<N, Lanes> {
  using Value = typename Lanes::Value;
  using Vector = typename ValuesOf<N, Lanes>::Vector;
  using ValuesOf<N, Lanes>::multiply_add;
  static constexpr bool no_chains = true;  // a chain is one number

  static void read(const Vector& v, std::size_t k, validation::Real& out) {
    Lanes::read(v[k / Lanes::width], k % Lanes::width, out);
  }
  static void dot(const Vector& x, const Vector& y, Vector& r) {
    r[0] = Lanes::sum(bench::dot(x.values(), y.values(), multiply_add));
  }
  /// Four vectors of sums of a row in registers.
  static void mm(const Vector& a, const Vector& b, Vector& c, std::size_t n) {
    const std::size_t across = n / Lanes::width;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < across; j += accumulators) {
        Value sum[accumulators];
        for (Value& s : sum) s = Value(0.0);
        for (std::size_t k = 0; k < n; ++k) {
          const Value left = Lanes::broadcast(a[i * across + k / Lanes::width], k % Lanes::width);
          for (std::size_t l = 0; l < accumulators; ++l)
            sum[l] = multiply_add(left, b[k * across + j + l], sum[l]);
        }
        std::copy(std::begin(sum), std::end(sum), &c[i * across + j]);
      }
  }
};

template <class P, class Op>
concept Has = requires(typename P::Vector& r, const typename P::Vector& x) {
  P::apply(Op(), r[0], x[0], x[0]);
};

/// Bits that hold sums and products of N components and more.
template <int N>
inline constexpr mpfr_prec_t oracle_bits = 2 * 53 * N + 128;

/// The worst error of Op over x and y in units u^N of the result, u = 2^-53. The operands are those
/// that the peer has made of them.
template <int N, class P, class Op>
double worst_error(const std::vector<Expansion<double, N>>& xs,
                   const std::vector<Expansion<double, N>>& ys) {
  const typename P::Vector x(xs), y(ys);
  typename P::Vector z(xs);
  for (std::size_t i = 0; i < z.size(); ++i) P::apply(Op(), z[i], x[i], y[i]);
  validation::Real a, b, got, exact(oracle_bits<N>), error(64);
  double worst = 0;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    P::read(x, k, a);
    P::read(y, k, b);
    P::read(z, k, got);
    Op::oracle(exact.get(), a.get(), b.get());
    mpfr_sub(error.get(), got.get(), exact.get(), MPFR_RNDN);
    worst =
        std::max(worst, validation::scaled_ratio(validation::magnitude_of(error.get()),
                                                 validation::magnitude_of(exact.get()), 53 * N));
  }
  return worst;
}

/// The worst error of `count` sums of `terms` products, in units u^N of the sum of their
/// magnitudes. at(i, k) are the places of the k-th factors of sum i.
template <int N, class P, class At>
double worst_sum_error(const typename P::Vector& a, const typename P::Vector& b,
                       const typename P::Vector& sums, const std::vector<std::size_t>& which,
                       std::size_t terms, const At& at) {
  validation::Real left, right, got, product(oracle_bits<N>), sum(oracle_bits<N>),
      magnitude(oracle_bits<N>), error(64);
  double worst = 0;
  for (const std::size_t i : which) {
    mpfr_set_zero(sum.get(), 1);
    mpfr_set_zero(magnitude.get(), 1);
    for (std::size_t k = 0; k < terms; ++k) {
      const auto [l, r] = at(i, k);
      P::read(a, l, left);
      P::read(b, r, right);
      mpfr_mul(product.get(), left.get(), right.get(), MPFR_RNDN);
      mpfr_add(sum.get(), sum.get(), product.get(), MPFR_RNDN);
      mpfr_abs(product.get(), product.get(), MPFR_RNDN);
      mpfr_add(magnitude.get(), magnitude.get(), product.get(), MPFR_RNDN);
    }
    P::read(sums, i, got);
    mpfr_sub(error.get(), got.get(), sum.get(), MPFR_RNDN);
    worst = std::max(worst,
                     validation::scaled_ratio(validation::magnitude_of(error.get()),
                                              validation::magnitude_of(magnitude.get()), 53 * N));
  }
  return worst;
}

template <int N>
Case& enter_case(std::vector<Case>& cases, const std::string& work,
                 const std::string& implementation, double items,
                 std::function<void(benchmark::State&)> run) {
  return enter_items(cases, "arithmetic/" + work, "f64x" + std::to_string(N), implementation, items,
                     std::move(run));
}

template <int N, class P, class Op>
void enter_operation(std::vector<Case>& cases, const std::string& implementation,
                     typename Arguments<N>::Numbers Arguments<N>::*first,
                     typename Arguments<N>::Numbers Arguments<N>::*second) {
  if constexpr (Has<P, Op>) {
    const auto& arguments = Arguments<N>::get();
    Case& c = enter_case<N>(cases, Op::name, implementation, double(length),
                            [=, &arguments](auto& state) {
                              const typename P::Vector x(arguments.*first), y(arguments.*second);
                              typename P::Vector z(arguments.*first);
                              for (auto _ : state) {
                                for (std::size_t i = 0; i < z.size(); ++i)
                                  P::apply(Op(), z[i], x[i], y[i]);
                                benchmark::ClobberMemory();
                              }
                            });
    c.error_units = [=, &arguments] {
      double worst = worst_error<N, P, Op>(arguments.*first, arguments.*second);
      if (first != second) {  // two operands: other pairs, too
        auto turned = arguments.*second;
        for (int turn = 0; turn < 7; ++turn) {
          std::rotate(turned.begin(), turned.begin() + 509, turned.end());
          worst = std::max(worst, worst_error<N, P, Op>(arguments.*first, turned));
        }
        worst = std::max(worst, worst_error<N, P, Op>(arguments.x, arguments.opposite));
      }
      return worst;
    };
  }
}

/// r = step(r, y[i]), one after the other.
template <int N, class P, class Step>
void enter_chain(std::vector<Case>& cases, const std::string& name,
                 const std::string& implementation,
                 typename Arguments<N>::Numbers Arguments<N>::*operands, Step step) {
  const auto& arguments = Arguments<N>::get();
  enter_case<N>(cases, name, implementation, double(length), [=, &arguments](auto& state) {
    const typename P::Vector y(arguments.*operands);
    const typename Arguments<N>::Numbers start(1, (arguments.*operands)[0]);
    for (auto _ : state) {
      typename P::Vector r(start);
      for (std::size_t i = 0; i < y.size(); ++i) step(r[0], y[i]);
      benchmark::DoNotOptimize(&r);
      benchmark::ClobberMemory();
    }
  });
}

template <int N, class P>
void enter_chains(std::vector<Case>& cases, const std::string& implementation) {
  using A = Arguments<N>;
  if constexpr (Has<P, Add>)
    enter_chain<N, P>(cases, "chain of add", implementation, &A::y,
                      [](auto&& r, const auto& y) { P::apply(Add(), r, r, y); });
  if constexpr (Has<P, Mul>)
    enter_chain<N, P>(cases, "chain of mul", implementation, &A::near_one,
                      [](auto&& r, const auto& y) { P::apply(Mul(), r, r, y); });
  if constexpr (Has<P, Div>)
    enter_chain<N, P>(cases, "chain of div", implementation, &A::near_one,
                      [](auto&& r, const auto& y) { P::apply(Div(), r, r, y); });
  if constexpr (Has<P, Sqrt>)
    enter_chain<N, P>(cases, "chain of sqrt(r + y)", implementation, &A::positive,
                      [](auto&& r, const auto& y) {
                        P::apply(Add(), r, r, y);
                        P::apply(Sqrt(), r, r, r);
                      });
}

template <int N, class P>
void enter_dot(std::vector<Case>& cases, const std::string& implementation) {
  const auto& arguments = Arguments<N>::get();
  Case& c =
      enter_case<N>(cases, "dot 4096", implementation, double(length), [&arguments](auto& state) {
        const typename P::Vector x(arguments.x), y(arguments.y);
        typename P::Vector r(arguments.x);
        for (auto _ : state) {
          P::dot(x, y, r);
          benchmark::ClobberMemory();
        }
      });
  c.error_units = [&arguments] {
    const typename P::Vector x(arguments.x), y(arguments.y);
    typename P::Vector r(arguments.x);
    P::dot(x, y, r);
    return worst_sum_error<N, P>(x, y, r, {0}, length,
                                 [](std::size_t, std::size_t k) { return std::pair(k, k); });
  };
}

template <int N, class P>
void enter_mm(std::vector<Case>& cases, const std::string& implementation) {
  const auto& arguments = Arguments<N>::get();
  Case& c = enter_case<N>(cases, "mm 128", implementation, double(order * order * order),
                          [&arguments](auto& state) {
                            const typename P::Vector a(arguments.left), b(arguments.right);
                            typename P::Vector r(arguments.left);
                            for (auto _ : state) {
                              P::mm(a, b, r, order);
                              benchmark::ClobberMemory();
                            }
                          });
  c.error_units = [&arguments] {
    const typename P::Vector a(arguments.left), b(arguments.right);
    typename P::Vector r(arguments.left);
    P::mm(a, b, r, order);
    std::vector<std::size_t> rows;  // two of them
    for (std::size_t j = 0; j < order; ++j) {
      rows.push_back(j);
      rows.push_back((order - 1) * order + j);
    }
    return worst_sum_error<N, P>(a, b, r, rows, order, [](std::size_t i, std::size_t k) {
      return std::pair(i / order * order + k, k * order + i % order);
    });
  };
}

/// The single operations that P has.
template <int N, class P>
void enter_operations(std::vector<Case>& cases, const std::string& implementation) {
  using A = Arguments<N>;
  enter_operation<N, P, Add>(cases, implementation, &A::x, &A::y);
  enter_operation<N, P, Sub>(cases, implementation, &A::x, &A::y);
  enter_operation<N, P, Mul>(cases, implementation, &A::x, &A::y);
  enter_operation<N, P, Div>(cases, implementation, &A::x, &A::y);
  enter_operation<N, P, Sqrt>(cases, implementation, &A::positive, &A::positive);
  if constexpr (!requires { P::no_chains; }) enter_chains<N, P>(cases, implementation);
  enter_operation<N, P, Exp>(cases, implementation, &A::positive, &A::positive);
  enter_operation<N, P, Log>(cases, implementation, &A::positive, &A::positive);
  enter_operation<N, P, Sin>(cases, implementation, &A::positive, &A::positive);
}

/// All that P has.
template <int N, class P>
void enter_all(std::vector<Case>& cases, const std::string& implementation) {
  enter_operations<N, P>(cases, implementation);
  enter_dot<N, P>(cases, implementation);
  enter_mm<N, P>(cases, implementation);
}

}  // namespace mct::bench::arithmetic
