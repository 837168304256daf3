#include "src/geometry/programs/recording.hpp"

#include <bit>
#include <cmath>
#include <utility>

namespace mct::geometry_detail {
namespace {

thread_local Recording* recording_of_thread = nullptr;

double calculated(Step step, double a, double b) {
  switch (step) {
    case Step::add:
      return a + b;
    case Step::subtract:
      return a - b;
    case Step::multiply:
      return a * b;
    case Step::divide:
      return a / b;
    case Step::root:
      return std::sqrt(a);
    case Step::absolute:
      return std::fabs(a);
    case Step::less:
      return a < b ? 1 : 0;
    case Step::less_equal:
      return a <= b ? 1 : 0;
    case Step::equal:
      return a == b ? 1 : 0;
    default:
      throw NoProgram();  // of functions of constants
  }
}

}  // namespace

Recording& Recording::current() { return *recording_of_thread; }
void Recording::set_current(Recording* recording) { recording_of_thread = recording; }

int Recording::add_note(const Note& note) {
  const auto key = std::make_tuple(2 * int(note.step) + int(note.is_vector), note.a, note.b, note.c,
                                   note.d, std::bit_cast<std::uint64_t>(note.value));
  const auto [known, is_new] = known_.try_emplace(key, size());
  if (is_new) notes_.push_back(note);
  return known->second;
}
int Recording::constant(double value) {
  return add_note({Step::constant, false, -1, -1, -1, -1, value});
}
int Recording::input(int operand, int part, bool is_vector) {
  return add_note({Step::input, is_vector, operand, part, -1, -1, 0});
}
int Recording::radius() { return add_note({Step::radius, false, -1, -1, -1, -1, 0}); }

bool Recording::is_constant(int note, double value) const {
  const Note& x = (*this)[note];
  return x.step == Step::constant && x.value == value;
}
std::pair<int, int> Recording::split(int vector) {
  const Note x = (*this)[vector];
  if (x.step == Step::multiply && !is_vector(x.a) && is_vector(x.b)) return {x.a, x.b};
  return {constant(1), vector};
}

int Recording::folded(Step step, int a, int b, int c, int d) {
  const auto is_known = [&](int k) { return k < 0 || (*this)[k].step == Step::constant; };
  if (step == Step::choose) {
    if (is_constant(a, 1)) return b;
    if (is_constant(a, 0)) return c;
    return b == c ? b : -1;
  }
  if (step == Step::both || step == Step::either) {
    const bool stops = step == Step::either;
    if (is_constant(a, stops) || is_constant(b, !stops) || a == b) return a;
    return is_constant(b, stops) || is_constant(a, !stops) ? b : -1;
  }
  if (step == Step::opposite) {
    if (is_constant(a, 0)) return constant(1);
    if ((*this)[a].step == Step::opposite) return (*this)[a].a;
    return is_constant(a, 1) ? constant(0) : -1;
  }
  if (step == Step::log1p || step == Step::expm1) return is_constant(a, 0) ? a : -1;
  if (step == Step::pull && is_constant(c, 0)) return note(Step::multiply, constant(-1), d);
  if ((sums(step) && step != Step::gap) || step == Step::product_rest || step == Step::sum_rest)
    return is_constant(a, 0) || is_constant(b, 0) ? constant(0) : -1;
  if (step <= Step::divide || step == Step::root || step == Step::absolute ||
      (step >= Step::less && step <= Step::equal))
    if (is_known(a) && is_known(b))
      return constant(calculated(step, (*this)[a].value, b < 0 ? 0 : (*this)[b].value));
  return -1;
}

int Recording::simplified(Step step, int a, int b, int c, int d) {
  if (const int known = folded(step, a, b, c, d); known >= 0) return known;
  const auto product = [&](int x, int y) { return note(Step::multiply, x, y); };
  switch (step) {
    case Step::add: {
      if (is_constant(a, 0)) return b;
      if (is_constant(b, 0)) return a;
      if (const auto [s, v] = split(b); is_constant(s, -1)) return note(Step::subtract, a, v);
      if (const auto [s, v] = split(a); is_constant(s, -1)) return note(Step::subtract, b, v);
      if (a == b) return product(constant(2), a);
      return -1;
    }
    case Step::subtract:
      if (a == b && !exact_) return constant(0);
      if (is_constant(b, 0)) return a;
      if (is_constant(a, 0)) return product(constant(-1), b);
      if (const auto [s, v] = split(b); is_constant(s, -1)) return note(Step::add, a, v);
      return -1;
    case Step::multiply: {
      if (is_constant(a, 0) || is_constant(b, 0)) return constant(0);
      if (is_constant(a, 1)) return b;
      if (is_constant(b, 1)) return a;
      // numbers before vectors, and one number for each vector
      if (is_vector(a) && !is_vector(b)) return product(b, a);
      if (is_vector(b) && !exact_) {
        const auto [t, v] = split(b);
        if (is_constant(t, 1)) {
          const auto [s, u] = is_vector(a) ? split(a) : std::pair(constant(1), a);
          if (is_constant(s, 1)) return -1;
          return product(s, product(u, v));
        }
        return is_vector(a) ? product(t, product(a, v)) : product(product(a, t), v);
      }
      return -1;
    }
    case Step::divide:
      if (is_constant(a, 0)) return a;
      if (is_constant(b, 1)) return a;
      if (is_vector(a) && !is_vector(b) && !exact_)
        return product(note(Step::divide, constant(1), b), a);
      return -1;
    case Step::dot: {
      const auto [s, u] = split(a);
      const auto [t, v] = split(b);
      const int factor = product(s, t);
      if (is_constant(factor, 1)) return u == a && v == b ? -1 : note(Step::dot, u, v);
      return product(factor, note(Step::dot, u, v));
    }
    default:
      return -1;
  }
}

int Recording::note(Step step, int a, int b, int c, int d) {
  if (const int known = simplified(step, a, b, c, d); known >= 0) return known;
  if ((step == Step::add || step == Step::dot) && a > b) std::swap(a, b);
  const auto any_vector = [&](auto... k) { return ((k >= 0 && is_vector(k)) || ...); };
  return add_note({step, !sums(step) && any_vector(a, b, c, d), a, b, c, d, 0});
}
void Recording::require(int mask) {
  if (is_constant(mask, 1)) return;
  if (is_constant(mask, 0)) throw NoProgram();
  required_.push_back(mask);
}

}  // namespace mct::geometry_detail
