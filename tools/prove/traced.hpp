// Traced: a value that writes down the formula of a function, block by block.
//
// Functions of math/ compute with expansions: products, sums, reductions. Traced<1> writes down
// each of these blocks and its operands. The block itself is the library's template, instantiated
// on Traced<0>, which writes down its floating-point operations. Each value carries a number of a
// sample run, too: comparisons are answered by it, and the result of the run must be the
// function's.
#pragma once

#include <cmath>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/all.hpp"
#include "step.hpp"

namespace prove {

/// A block: each operand is a list of values, one for each limb. The inputs are the same limbs as
/// values of their own, so that a square looks like any product.
struct Block {
  std::string name;
  std::vector<Ids> operands, inputs;
  Ids results;
  std::vector<Step> steps;  // inside
};
/// A comparison, and its answer in the sample run.
struct Comparison {
  const char* name;
  int a, b;
  bool holds;
};

struct Formula {
  std::deque<Block> blocks;
  std::vector<Comparison> comparisons;
  std::vector<std::pair<int, double>> constants;
  int values = 0;
};
/// The formula that is written down.
inline Formula* formula = nullptr;

template <int Level>
class Traced {
 public:
  using value_type = double;

  Traced() : Traced(0.0) {}
  explicit Traced(double number) : id_(formula->values++), number_(number) {
    formula->constants.emplace_back(id_, number);
  }
  /// The same value on the other level.
  explicit Traced(const Traced<1 - Level>& same) : id_(same.id()), number_(same.number()) {}
  int id() const { return id_; }
  double number() const { return number_; }

  /// A new value that the block or, outside of blocks, an operation of its own yields.
  static Traced made(double number) { return Traced(no_constant{}, number); }
  static Traced operation(const char* name, const std::vector<Traced>& operands, double number) {
    const Traced result = made(number);
    Ids ids;
    for (const Traced& operand : operands) ids.push_back(operand.id());
    if constexpr (Level == 0) {
      formula->blocks.back().steps.push_back({name, ids, {result.id()}});
    } else {
      Block block{name, {}, {}, {result.id()}, {}};
      for (int id : ids) block.operands.push_back({id});
      formula->blocks.push_back(block);
    }
    return result;
  }

  friend Traced operator+(const Traced& a, const Traced& b) {
    return operation("+", {a, b}, a.number_ + b.number_);
  }
  friend Traced operator-(const Traced& a, const Traced& b) {
    return operation("-", {a, b}, a.number_ - b.number_);
  }
  friend Traced operator*(const Traced& a, const Traced& b) {
    return operation("*", {a, b}, a.number_ * b.number_);
  }
  friend Traced operator-(const Traced& a) { return operation("negated", {a}, -a.number_); }
  friend Traced abs(const Traced& a) { return operation("abs", {a}, std::fabs(a.number_)); }

  friend bool operator<(const Traced& a, const Traced& b) {
    return compare("<", a, b, a.number_ < b.number_);
  }
  friend bool operator>(const Traced& a, const Traced& b) {
    return compare(">", a, b, a.number_ > b.number_);
  }
  friend bool operator==(const Traced& a, const Traced& b) {
    return compare("==", a, b, a.number_ == b.number_);
  }

 private:
  struct no_constant {};
  Traced(no_constant, double number) : id_(formula->values++), number_(number) {}
  static bool compare(const char* name, const Traced& a, const Traced& b, bool holds) {
    formula->comparisons.push_back({name, a.id_, b.id_, holds});
    return holds;
  }

  int id_;
  double number_;
};

using Value = Traced<1>;
using Inner = Traced<0>;

/// The limbs of an operand as inputs of a block.
template <int N>
mct::Expansion<Inner, N> input(const mct::Expansion<Value, N>& x) {
  mct::Expansion<Inner, N> r;
  for (int i = 0; i < N; ++i) r.limb[i] = Inner::made(x.limb[i].number());
  return r;
}
template <int N>
mct::Expansion<Value, N> output(const mct::Expansion<Inner, N>& x) {
  mct::Expansion<Value, N> r;
  for (int i = 0; i < N; ++i) r.limb[i] = Value(x.limb[i]);
  return r;
}
template <class From, int N>
Ids ids(const mct::Expansion<From, N>& x) {
  Ids r;
  for (const From& limb : x.limb) r.push_back(limb.id());
  return r;
}

/// The block of the library's template `body`, which gets the operands as values of Level 0.
template <class Body, class... Operands>
auto block(const char* name, const Body& body, const Operands&... operands) {
  return [&](const auto&... inputs) {
    formula->blocks.push_back({name, {ids(operands)...}, {ids(inputs)...}, {}, {}});
    const auto result = body(inputs...);
    formula->blocks.back().results = ids(result);
    return output(result);
  }(input(operands)...);
}
/// A block whose inside is no floating-point arithmetic: it yields these numbers.
template <int N, class... Operands>
mct::Expansion<Value, N> opaque(const char* name, const mct::Expansion<double, N>& numbers,
                                const Operands&... operands) {
  mct::Expansion<Value, N> r;
  for (int i = 0; i < N; ++i) r.limb[i] = Value::made(numbers.limb[i]);
  formula->blocks.push_back({name, {ids(operands)...}, {}, ids(r), {}});
  return r;
}

}  // namespace prove

namespace mct {

template <>
struct ExactProduct<prove::Inner> {
  static constexpr bool available = true;
  using T = prove::Inner;
  static HiLo<T> apply(const T& a, const T& b) {
    const double p = a.number() * b.number();
    const T hi = T::made(p);
    const T lo = T::made(std::fma(a.number(), b.number(), -p));
    prove::formula->blocks.back().steps.push_back(
        {"two_prod", {a.id(), b.id()}, {hi.id(), lo.id()}});
    return {hi, lo};
  }
};
template <>
struct FusedMultiplyAdd<prove::Inner> {
  using T = prove::Inner;
  static T apply(const T& a, const T& b, const T& c) {
    return T::operation("fma", {a, b, c}, std::fma(a.number(), b.number(), c.number()));
  }
};

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

using prove::Inner;
using prove::Value;

#define MCT_PROVE_BLOCK(N, M, name)                                            \
  template <>                                                                  \
  inline Expansion<Value, N> name<Value, N, M>(const Expansion<Value, N>& x,   \
                                               const Expansion<Value, M>& y) { \
    return prove::block(                                                       \
        #name, [](const auto& a, const auto& b) { return name(a, b); }, x, y); \
  }
MCT_PROVE_BLOCK(1, 1, mul_limbs)
MCT_PROVE_BLOCK(2, 1, mul_limbs)
MCT_PROVE_BLOCK(2, 2, mul_limbs)
MCT_PROVE_BLOCK(3, 1, mul_limbs)
MCT_PROVE_BLOCK(2, 1, add_smaller)
MCT_PROVE_BLOCK(2, 2, add_smaller)
MCT_PROVE_BLOCK(3, 2, add_smaller)
#undef MCT_PROVE_BLOCK

template <>
inline Value multiply_add<Value>(const Value& a, const Value& b, const Value& c) {
  const auto body = [](const auto& x, const auto& y, const auto& z) {
    return single(multiply_add(x.limb[0], y.limb[0], z.limb[0]));
  };
  return prove::block("multiply_add", body, single(a), single(b), single(c)).limb[0];
}

template <>
inline Value nearest_integer<Value>(const Value& x) {
  const auto body = [](const auto& y) { return single(nearest_integer(y.limb[0])); };
  return prove::block("nearest_integer", body, single(x)).limb[0];
}

#define MCT_PROVE_BLOCK(M, K)                                                       \
  template <>                                                                       \
  inline Expansion<Value, 3> cancelling_remainder<3, Value, M, K>(                  \
      const Expansion<Value, M>& x, const Expansion<Value, K>& c, const Value& n) { \
    const auto body = [](const auto& a, const auto& b, const auto& k) {             \
      return cancelling_remainder<3>(a, b, k.limb[0]);                              \
    };                                                                              \
    return prove::block("cancelling_remainder", body, x, c, single(n));             \
  }
MCT_PROVE_BLOCK(2, 3)
MCT_PROVE_BLOCK(1, 2)
#undef MCT_PROVE_BLOCK

template <>
inline Expansion<Value, 3> quick_sum<Value, 3, Expansion<Value, 3>, Expansion<Value, 3>>(
    const Expansion<Value, 3>& a, const Expansion<Value, 3>& b, const Expansion<Value, 3>& c) {
  return prove::block(
      "quick_sum", [](const auto&... terms) { return quick_sum(terms...); }, a, b, c);
}

template <>
inline Expansion<Value, 2> round_limbs<2, Value, 3>(const Expansion<Value, 3>& x) {
  return prove::block(
      "round_limbs", [](const auto& y) { return round_limbs<2>(y); }, x);
}

// What powers of two scale exactly, bits of a number and rows of tables.

template <int N>
Expansion<double, N> numbers_of(const Expansion<Value, N>& x) {
  Expansion<double, N> r;
  for (int i = 0; i < N; ++i) r.limb[i] = x.limb[i].number();
  return r;
}

template <>
inline Expansion<Value, 2> scale_by_power<Value, 2>(const Expansion<Value, 2>& x, const Value& k) {
  return prove::opaque("scale_by_power", scale_by_power(numbers_of(x), k.number()), x, single(k));
}
template <>
inline Expansion<Value, 2> scale_limbs<Value, 2>(const Expansion<Value, 2>& x,
                                                 const Value& factor) {
  return prove::opaque("scale_limbs", scale_limbs(numbers_of(x), factor.number()), x,
                       single(factor));
}
template <>
inline BinarySplit<Value> binary_split<Value>(const Value& x, const double& lowest) {
  const auto split = binary_split(x.number(), lowest);
  const auto numbers =
      Expansion<double, 3>::from_limbs(split.exponent, split.mantissa, split.inverse_power);
  const auto r = prove::opaque("binary_split", numbers, single(x), single(Value(lowest)));
  return {r.limb[0], r.limb[1], r.limb[2]};
}
#define MCT_PROVE_TABLE(table, N)                                                             \
  template <>                                                                                 \
  inline Expansion<Value, N> table_row<tables::table, N, Value>(const Value& index) {         \
    return prove::opaque(#table, table_row<tables::table, N>(index.number()), single(index)); \
  }
MCT_PROVE_TABLE(Exp2Table, 3)
MCT_PROVE_TABLE(LogTable, 3)
MCT_PROVE_TABLE(LogReciprocal, 1)
#undef MCT_PROVE_TABLE

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
