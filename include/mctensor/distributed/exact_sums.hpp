// Exact sums of any number of arrays, rounded once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mctensor/distributed/shards.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::distributed {

/// A part of an element's sum that does not fit into the levels of the element.
struct LostTerm {
  std::int64_t index;
  double value;
};

/// A message with the sums of one process for the elements of a span. It holds the sums exactly.
template <class W>
struct SumMessage {
  std::vector<W> levels;  ///< plane after plane, each with all elements of the span; may be empty
  std::vector<LostTerm>
      terms;  ///< in addition, for few elements; indices count from the span's begin
};

/// The sums of `count` elements. Each element has any number of terms of type T (float, double,
/// bfloat16 or half); the terms of an expansion are its limbs. Sums are exact until they are
/// rounded once, at the end. So a result depends neither on the order of the terms nor on the
/// number of ExactSums that share them.
///
/// An element has one to three doubles, which are its levels. It may have lost terms, which are
/// parts that do not fit into the levels. The sum of an element is always the exact sum of its
/// levels and its lost terms.
///
/// Proof. Every T is exact in double, so let a term x be a double. It is added to the first level
/// by two_sum: s + e = level + x exactly. s becomes the level, and e is added to the next level in
/// the same way. The last e, if not 0, becomes a lost term. two_sum is exact, subnormal numbers
/// included, unless it overflows. If it overflows, e is infinite or NaN; then the levels stay as
/// they were, and x itself becomes a lost term. An x that is infinite or NaN becomes a lost term,
/// too. Lost terms are kept, so no part of the sum is lost by rounding. Rounding: an element
/// without lost terms is rounded by its number of levels. With one level, s itself is rounded to T.
/// With two levels the result is fl(s + e), as IEEE 754 defines it; for a T shorter than double, s
/// + e is first rounded to odd in double. With three levels the result is Boldo and Melquiond's sum
/// of three numbers. With lost terms, or where the result is not finite, levels and lost terms are
/// added and rounded as integers.
///
/// Special values, for terms in any order. The sum is NaN if a term is NaN or if there are
/// infinities of both signs. Else it is an infinity if a term is infinite. Else it is the exact sum
/// rounded to nearest, ties to even, or an infinity if the sum is beyond the range of T. Partial
/// sums do not overflow. A sum that is 0 is -0 if every term is -0, else +0. The sum of an element
/// without terms is -0 if another element has terms, else +0. Every NaN has the bits of
/// FloatTraits<T>::nan.
///
/// Sources: Knuth, TAOCP vol. 2, 4.2.2 (two_sum); Shewchuk 1997 (sums as expansions); Boldo,
/// Melquiond 2008 (rounding to odd); compare Kulisch 2013, Demmel and Nguyen 2015, Neal 2015,
/// Collange et al. 2015, which hold an integer of all exponents for each sum, or bins.
template <class T>
class ExactSums {
 public:
  /// The type of levels in messages: float holds sums of a few 16-bit numbers, double holds sums of
  /// floats.
  using Wire = std::conditional_t<is_short_float_v<T>, float, double>;

  /// Makes room for expansions of `components` components. Throws DomainError for a negative count
  /// or components outside 1 ... 4.
  explicit ExactSums(std::int64_t count, int components = 1);

  std::int64_t size() const { return count_; }
  int components() const { return components_; }
  void clear();

  /// Adds a number to each of the sums first ... first + x.size() - 1. Throws ShapeError if there
  /// are fewer elements.
  void add(std::span<const T> x, std::int64_t first = 0);
  /// The same for expansions: limb k of element i is limbs[k][i]. The sign of a zero counts in the
  /// first limb only.
  void add(std::span<const T* const> limbs, std::int64_t count, std::int64_t first = 0);
  /// Adds the elements of a tensor in row-major order.
  template <int N>
  void add(const Tensor<T, N>& x, std::int64_t first = 0) {
    const auto planes = x.contiguous();
    const T* limbs[N];
    for (int k = 0; k < N; ++k) limbs[k] = planes.data(k);
    add({limbs, std::size_t(N)}, x.numel(), first);
  }
  /// Adds all terms of `other`. Throws ShapeError for another number of elements or components.
  void add(const ExactSums& other);

  /// The sums, rounded to expansions of limbs.size() limbs. Limb k is the sum minus the limbs
  /// before it, rounded to nearest. An overflow gives an infinity followed by zeros; NaN is
  /// followed by zeros, too.
  void round_to(std::span<T* const> limbs) const;
  /// The sums rounded to plain numbers. Throws ShapeError for another size.
  void round_to(std::span<T> values) const;

  /// The sums of the elements of a span.
  ExactSums part(const Span& span) const;
  /// The sums of a span as a message.
  SumMessage<Wire> message(const Span& span) const;
  /// write_message writes the message into the caller's memory, which must have room for
  /// message_size(span) numbers, and appends terms to the caller's list. add_message adds the sums
  /// of a message to the sums of the same span.
  std::size_t message_size(const Span& span) const;
  void write_message(const Span& span, Wire* levels, std::vector<LostTerm>& terms) const;
  void add_message(std::span<const Wire> levels, std::span<const LostTerm> terms, const Span& span);

  /// The number of doubles of an element.
  int levels() const { return int(levels_.size()); }
  /// The number of levels of an element in a message; parts that do not fit are sent as lost terms.
  int wire_planes() const;
  std::int64_t lost_terms() const { return std::int64_t(lost_.size()); }

 private:
  /// If `unsigned_zeros`, the zeros of x do not affect the sign of a sum that is 0.
  template <class X>
  void add_plane(const X* x, bool unsigned_zeros, std::int64_t count, std::int64_t first);
  void shorten_lost();
  void split_into_floats(const Span& span, float* levels, std::vector<LostTerm>& terms) const;
  void check_elements(std::int64_t first, std::int64_t count) const;
  void round_range(std::span<T* const> limbs, const Span& range,
                   std::vector<std::int64_t>& again) const;
  void round_exactly(std::span<T* const> limbs, const std::vector<std::int64_t>& elements) const;

  std::int64_t count_;
  int components_;
  bool has_terms_ = false;
  std::vector<std::vector<double>> levels_;
  std::vector<LostTerm> lost_;
  /// If there are at least this many lost terms, the lost terms of each element are added up.
  std::size_t shorten_from_;
};

extern template class ExactSums<float>;
extern template class ExactSums<double>;
extern template class ExactSums<bfloat16>;
extern template class ExactSums<half>;

}  // namespace mct::distributed
