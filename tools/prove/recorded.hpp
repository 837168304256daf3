// Recorded: a value that writes down what is computed with it.
//
// The templates of eft/ and expansion/, instantiated on it, leave the list of their operations: the
// network that is proven is the one that runs. Masks stand for ordinary operands: everything is
// finite.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "mctensor/expansion/accumulator.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "step.hpp"

namespace prove {

struct Recording {
  std::vector<Step> steps;
  int values = 0;
  int next() { return values++; }
};

/// The recording that is under way.
inline Recording* recording = nullptr;

/// Value `id` of the recording; a constant has none.
class Recorded {
 public:
  using value_type = double;
  static constexpr int constant = -1;
  static constexpr int nothing = -2;  // an Expansion begins with such limbs

  constexpr Recorded() : id_(nothing) {}
  constexpr explicit Recorded(double value) : id_(constant), number_(value) {}
  static Recorded value(int id) {
    Recorded r;
    r.id_ = id;
    return r;
  }
  constexpr int id() const { return id_; }
  constexpr double number() const { return number_; }

  friend Recorded operator+(const Recorded& a, const Recorded& b) { return step("+", {&a, &b}); }
  friend Recorded operator-(const Recorded& a, const Recorded& b) { return step("-", {&a, &b}); }
  friend Recorded operator*(const Recorded& a, const Recorded& b) {
    if (b.id_ == constant && b.number_ == -1) return step("negated", {&a});
    if (b.id_ == constant)
      return Recorded();  // only guard_specials does it, for what is not finite
    return step("*", {&a, &b});
  }

  /// 1 / b and 0.5 / b: no other quotient is recorded.
  friend Recorded operator/(const Recorded& a, const Recorded& b) {
    if (a.id_ == constant && a.number_ == 1) return step("inverse", {&b});
    if (a.id_ == constant && a.number_ == 0.5) return step("half of inverse", {&b});
    return step("/", {&a, &b});
  }
  friend Recorded sqrt(const Recorded& a) { return step("sqrt", {&a}); }

  static Recorded step(const char* operation, const std::vector<const Recorded*>& operands) {
    std::vector<int> ids;
    for (const Recorded* operand : operands) {
      if (operand->id_ < 0) {
        std::fprintf(stderr, "%s of a constant: no network of sums and products\n", operation);
        std::exit(1);
      }
      ids.push_back(operand->id_);
    }
    const int id = recording->next();
    recording->steps.push_back({operation, ids, {id}});
    return value(id);
  }

 private:
  int id_;
  double number_ = 0;
};

/// What guard_specials asks: whether a value is finite (it is), and whether two are equal.
struct Mask {
  bool finite;
};
inline Mask operator==(const Recorded& a, const Recorded& b) {
  return {b.id() == Recorded::constant && b.number() == 0 && a.id() >= 0};
}
/// mask ? a : b. A value that is finite is taken; of two that are equal, b.
inline Recorded select(const Mask& mask, const Recorded& a, const Recorded& b) {
  return mask.finite ? a : b;
}

}  // namespace prove

namespace mct {

/// A product and its error are one step; what two_prod computes is proven elsewhere.
template <>
struct ExactProduct<prove::Recorded> {
  static constexpr bool available = true;
  using T = prove::Recorded;
  static HiLo<T> apply(const T& a, const T& b) {
    const int hi = prove::recording->next();
    const int lo = prove::recording->next();
    prove::recording->steps.push_back({"two_prod", {a.id(), b.id()}, {hi, lo}});
    return {T::value(hi), T::value(lo)};
  }
};
template <>
struct FusedMultiplyAdd<prove::Recorded> {
  using T = prove::Recorded;
  static T apply(const T& a, const T& b, const T& c) { return T::step("fma", {&a, &b, &c}); }
};

}  // namespace mct
