// The notes that a program needs, and steps that are joined to one where nothing else reads them.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "src/geometry/programs/recording.hpp"

namespace mct::geometry_detail {

/// The notes that results and masks need, and how often each is read.
class Uses {
 public:
  explicit Uses(std::vector<Note>& notes) : notes_(notes), count_(notes.size(), 0) {}
  void need(int note) {
    if (note < 0 || count_[std::size_t(note)]++ > 0) return;
    const Note& x = notes_[std::size_t(note)];
    if (x.step == Step::input || x.step == Step::constant || x.step == Step::radius) return;
    for (const int k : {x.a, x.b, x.c, x.d}) need(k);
  }
  int operator[](int note) const { return count_[std::size_t(note)]; }

  /// A condition for points, as a step of `require` and its operands, the last of them `last`.
  struct Condition {
    Step step;
    std::vector<int> of;
    int last;
  };
  /// Masks that all points need: both of two are two, and a comparison that nothing else needs is
  /// no mask but a condition.
  std::vector<Condition> conditions(std::vector<int> masks) {
    std::sort(masks.begin(), masks.end());
    masks.erase(std::unique(masks.begin(), masks.end()), masks.end());
    for (const int mask : masks) need(mask);
    join_comparisons();
    std::vector<Condition> all;
    for (std::size_t i = 0; i < masks.size(); ++i) {
      const int mask = masks[i];
      const Note& x = notes_[std::size_t(mask)];
      if (x.step == Step::both && (*this)[mask] == 1) {
        count_[std::size_t(mask)] = 0;
        for (const int part : {x.a, x.b}) {
          if (std::find(masks.begin(), masks.end(), part) == masks.end()) {
            masks.push_back(part);
          } else {
            --count_[std::size_t(part)];
          }
        }
      } else {
        all.push_back(condition_of(mask));
      }
    }
    return all;
  }
  /// The note of the rounding error of long_dot k, if it is needed; else 0.
  std::size_t low_of(std::size_t k) const {
    const Note& x = notes_[k];
    for (std::size_t low = k + 1; low < notes_.size(); ++low) {
      const Note& y = notes_[low];
      if (y.step == Step::long_dot_low && y.a == x.a && y.b == x.b && count_[low] != 0) return low;
    }
    return 0;
  }

  /// Sums of two vectors that are products become one step, with the same roundings.
  void join_pairs_of_products() {
    for (std::size_t k = 0; k < notes_.size(); ++k) {
      Note& x = notes_[k];
      if (count_[k] == 0 || !x.is_vector || (x.step != Step::add && x.step != Step::subtract) ||
          x.a == x.b || !is_own_product(x.a) || !is_own_product(x.b))
        continue;
      const Note& first = notes_[std::size_t(x.a)];
      const Note& second = notes_[std::size_t(x.b)];
      count_[std::size_t(x.a)] = count_[std::size_t(x.b)] = 0;
      const Step step = x.step == Step::add ? Step::add_products : Step::subtract_products;
      x = {step, true, first.a, first.b, second.a, second.b, 0};
    }
  }
  /// Sums with a product that nothing else needs become one step.
  void join_products() {
    for (std::size_t k = 0; k < notes_.size(); ++k) {
      Note& x = notes_[k];
      if (count_[k] == 0 || (x.step != Step::add && x.step != Step::subtract)) continue;
      const bool sum = x.step == Step::add;
      if (is_own_product(x.b)) {
        join(x, sum ? Step::add_product : Step::subtract_product, x.b, x.a);
      } else if (is_own_product(x.a)) {
        join(x, sum ? Step::add_product : Step::subtract_from_product, x.a, x.b);
      }
    }
  }

 private:
  /// a < b and b < c where nothing else needs either.
  void join_comparisons() {
    for (std::size_t k = 0; k < notes_.size(); ++k) {
      Note& x = notes_[k];
      if (count_[k] == 0 || x.step != Step::both) continue;
      const Note& low = notes_[std::size_t(x.a)];
      const Note& high = notes_[std::size_t(x.b)];
      if (low.step != Step::less || high.step != Step::less || low.b != high.a ||
          (*this)[x.a] != 1 || (*this)[x.b] != 1)
        continue;
      count_[std::size_t(x.a)] = count_[std::size_t(x.b)] = 0;
      --count_[std::size_t(low.b)];  // which was read twice
      x = {Step::between, x.is_vector, low.a, low.b, high.b, -1, 0};
    }
  }
  Condition condition_of(int mask) {
    const Note& x = notes_[std::size_t(mask)];
    Condition condition{Step::require, {mask}, mask};
#define MCT_PAIR(comparison, required) {Step::comparison, Step::required},
    static constexpr std::pair<Step, Step> of_comparisons[] = {MCT_FOR_EACH_REQUIREMENT(MCT_PAIR)};
#undef MCT_PAIR
    const auto found = std::find_if(std::begin(of_comparisons), std::end(of_comparisons),
                                    [&](const auto& pair) { return pair.first == x.step; });
    if ((*this)[mask] != 1 || found == std::end(of_comparisons)) return condition;
    condition.step = found->second;
    count_[std::size_t(mask)] = 0;
    condition.of = {x.a, x.b};
    if (x.step == Step::between) condition.of.push_back(x.c);
    condition.last = *std::max_element(condition.of.begin(), condition.of.end());
    return condition;
  }
  bool is_own_product(int note) const {
    return notes_[std::size_t(note)].step == Step::multiply && count_[std::size_t(note)] == 1;
  }
  void join(Note& x, Step step, int product, int other) {
    const Note& factors = notes_[std::size_t(product)];
    count_[std::size_t(product)] = 0;
    x.step = step;
    x.a = factors.a;
    x.b = factors.b;
    x.c = other;
  }

  std::vector<Note>& notes_;
  std::vector<int> count_;
};

}  // namespace mct::geometry_detail
