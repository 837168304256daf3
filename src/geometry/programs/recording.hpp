// Straight-line programs on points: the steps that a formula takes, written down once.
//
// A step gives a number for each point, or a vector: a number for each coordinate of one part of
// the operands (all coordinates of the ball; those in space of Lorentz, the horizontal ones of the
// half-space, whose time and height are numbers). A step is noted once, however often it is used,
// and constants are calculated when they are noted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace mct::geometry_detail {

enum class Step : std::uint8_t {
  constant,
  input,  ///< part b of operand a, or of the others that are named below
  radius,
  add,
  subtract,
  multiply,
  divide,
  root,
  absolute,
  log1p,
  expm1,
  log,
  angle,  ///< of the point (b, a); this and the next two serve functions that have no lanes
  sine,   ///< of angles below 2^18
  cosine,
  choose,  ///< a ? b : c
  less,    ///< masks: 1 or 0
  less_equal,
  equal,
  both,
  either,
  opposite,
  dot,           ///< of two vectors, a number
  long_dot,      ///< the same, summed in twice the limbs
  long_dot_low,  ///< the rounding error of long_dot
  product_rest,  ///< a b - c for the rounded product c
  sum_rest,      ///< a + b - c for the rounded sum c
  pull,          ///< (a + b) c - d of numbers a and b, as exact products
  gap,           ///< a^2 - |b|^2 with its digits
  pivot,         ///< 1 for the coordinate of a vector that is the largest without its sign, else 0
  cross,         ///< a b - c d, as exact products
  // made of others where the program is compiled
  add_product,            ///< a b + c
  subtract_product,       ///< c - a b
  subtract_from_product,  ///< a b - c
  add_products,           ///< a b + c d, each rounded
  subtract_products,
  between,       ///< a < b and b < c
  long_dots,     ///< long_dot and long_dot_low
  take,          ///< a coordinate of points that lie one behind another, as a number
  require,       ///< points whose mask a is not set in all coordinates are left to the formula
  require_less,  ///< points where the comparison does not hold are left to the formula
  require_less_equal,
  require_equal,
  require_between,
  give,  ///< a b is a result; the others are sums of such products
  give_two,
  give_three,
  give_four
};

/// Calls list(comparison, the step that requires it).
#define MCT_FOR_EACH_REQUIREMENT(list)                                                     \
  list(less, require_less) list(less_equal, require_less_equal) list(equal, require_equal) \
      list(between, require_between)

/// Inputs that are not operands of the formula: the gradient of the result, and the cotangents of
/// second derivatives, of the radius and, from the next number on, of operands.
inline constexpr int most_operands = 5;  // with lengths of cones
inline constexpr int seed_operand = most_operands;
inline constexpr int cotangent_operand = seed_operand + 1;
inline constexpr int most_results = most_operands + 2;  // of second derivatives: radius, gradient
inline constexpr std::size_t most_terms = 4;

struct Note {
  Step step;
  bool is_vector;
  int a, b, c, d;  ///< the notes of the operands, -1 for none
  double value;    ///< of a constant
};

/// A formula that has no program.
struct NoProgram {};

class Recording {
 public:
  /// `exact`: the steps are those of the formula to the last bit (from Lorentz' origin of a shorter
  /// one, lorentz_symbols.hpp), but that numbers are taken out of scalar products; else derivatives
  /// are simplified. `curvature_sign`: that of the stereographic model.
  Recording(int coordinates, bool exact, int curvature_sign)
      : coordinates_(coordinates), exact_(exact), curvature_sign_(curvature_sign) {}

  /// The one that symbols are noted in, of this thread.
  static Recording& current();
  static void set_current(Recording* recording);

  int coordinates() const { return coordinates_; }
  bool is_exact() const { return exact_; }
  int curvature_sign() const { return curvature_sign_; }
  const Note& operator[](int note) const { return notes_[std::size_t(note)]; }
  int size() const { return int(notes_.size()); }

  int constant(double value);
  int input(int operand, int part, bool is_vector);
  int radius();
  /// Simplified where that changes nothing but, unless it is exact, the rounding.
  int note(Step step, int a, int b = -1, int c = -1, int d = -1);
  /// The program is right for points where the mask is set. Throws NoProgram where it is never.
  void require(int mask);

  bool is_constant(int note, double value) const;
  /// Steps whose vectors are summed: one number is the result.
  static bool sums(Step step) {
    return step == Step::gap || (step >= Step::dot && step <= Step::long_dot_low);
  }
  bool is_vector(int note) const { return notes_[std::size_t(note)].is_vector; }
  /// A vector as a number times a vector.
  std::pair<int, int> split(int vector);

  const std::vector<int>& required() const { return required_; }

 private:
  int add_note(const Note& note);
  int simplified(Step step, int a, int b, int c, int d);
  int folded(Step step, int a, int b, int c, int d);

  int coordinates_;
  bool exact_;
  int curvature_sign_;
  std::vector<Note> notes_;
  std::map<std::tuple<int, int, int, int, int, std::uint64_t>, int> known_;
  std::vector<int> required_;
};

}  // namespace mct::geometry_detail
