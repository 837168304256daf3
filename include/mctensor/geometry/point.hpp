// Coordinates of a point or of a tangent vector.
//
// Error: + - * / have the error of the number type in each coordinate; sums state their own error.
// Domain: every finite coordinate; NaN stays NaN. Source: the definitions.
#pragma once

#include <initializer_list>
#include <new>
#include <string>
#include <type_traits>

#include "mctensor/error.hpp"
#include "mctensor/geometry/work.hpp"

namespace mct::geometry {

/// The n of points whose number of coordinates is known at run time only.
inline constexpr int dynamic = -1;

namespace point_detail {

/// Coordinates whose number is known at run time: up to 16 lie in the object, more on the heap.
/// Their type must be trivially copyable. They are not initialized.
template <class V>
class Coordinates {
  static_assert(std::is_trivially_copyable_v<V>);
  static constexpr int in_place = 16;

 public:
  MCT_ALWAYS_INLINE Coordinates() = default;
  MCT_ALWAYS_INLINE explicit Coordinates(int size) : size_(size) {
    if (size > in_place)
      heap_ = static_cast<V*>(
          ::operator new(std::size_t(size) * sizeof(V), std::align_val_t(alignof(V))));
  }
  MCT_ALWAYS_INLINE Coordinates(const Coordinates& other) : Coordinates(other.size_) {
    copy(other);
  }
  MCT_ALWAYS_INLINE Coordinates& operator=(const Coordinates& other) {
    if (this == &other) return *this;
    if (size_ != other.size_) {
      release();
      new (this) Coordinates(other.size_);
    }
    copy(other);
    return *this;
  }
  MCT_ALWAYS_INLINE ~Coordinates() { release(); }

  MCT_ALWAYS_INLINE int size() const { return size_; }
  MCT_ALWAYS_INLINE V* data() { return heap_ != nullptr ? heap_ : reinterpret_cast<V*>(buffer_); }
  MCT_ALWAYS_INLINE const V* data() const {
    return heap_ != nullptr ? heap_ : reinterpret_cast<const V*>(buffer_);
  }

 private:
  MCT_ALWAYS_INLINE void copy(const Coordinates& other) {
    for (int i = 0; i < size_; ++i) new (data() + i) V(other.data()[i]);
  }
  MCT_ALWAYS_INLINE void release() {
    if (heap_ != nullptr) ::operator delete(heap_, std::align_val_t(alignof(V)));
    heap_ = nullptr;
  }

  int size_ = 0;
  V* heap_ = nullptr;
  alignas(V) unsigned char buffer_[in_place * sizeof(V)];
};

}  // namespace point_detail

/// n coordinates of a value type V. V is double, float, half, bfloat16, Expansion<T, N>, a SIMD
/// batch of doubles, or an expansion of such batches (one point in every lane). The same type
/// serves points and tangent vectors.
template <class V, int n = dynamic>
struct Point {
  static_assert(n >= 1, "a point has at least one coordinate");
  using Value = V;
  static constexpr int dimension = n;

  V coordinate[n];

  /// All coordinates 0.
  MCT_HD MCT_ALWAYS_INLINE constexpr Point() : coordinate{} {}
  /// The coordinates one by one.
  template <class... C>
  requires(sizeof...(C) == std::size_t(n) &&
           (std::is_convertible_v<C, V> && ...)) MCT_HD MCT_ALWAYS_INLINE constexpr explicit(n == 1)
      Point(const C&... values)
      : coordinate{V(values)...} {}
  /// n coordinates, all 0. `size` must be n; the point with a dynamic size reads it.
  MCT_HD MCT_ALWAYS_INLINE static constexpr Point of_size([[maybe_unused]] int size) {
    return Point();
  }

  MCT_HD MCT_ALWAYS_INLINE static constexpr int size() { return n; }
  MCT_HD MCT_ALWAYS_INLINE constexpr V& operator[](int i) { return coordinate[i]; }
  MCT_HD MCT_ALWAYS_INLINE constexpr const V& operator[](int i) const { return coordinate[i]; }
};

/// A point whose number of coordinates is chosen at run time.
template <class V>
struct Point<V, dynamic> {
  using Value = V;
  static constexpr int dimension = dynamic;

  MCT_ALWAYS_INLINE Point() = default;
  MCT_ALWAYS_INLINE Point(const Point&) = default;
  MCT_ALWAYS_INLINE Point& operator=(const Point&) = default;
  MCT_ALWAYS_INLINE ~Point() = default;
  /// `size` coordinates, all 0. Throws ShapeError for a negative size.
  MCT_ALWAYS_INLINE explicit Point(int size) : coordinates_(checked(size)) {
    for (int i = 0; i < size; ++i) new (coordinates_.data() + i) V(scalar_t<V>(0));
  }
  MCT_ALWAYS_INLINE Point(std::initializer_list<V> values) : coordinates_(int(values.size())) {
    int i = 0;
    for (const V& value : values) new (coordinates_.data() + i++) V(value);
  }
  /// Copies a point with a fixed number of coordinates.
  template <int n>
  requires(n != dynamic) MCT_ALWAYS_INLINE explicit Point(const Point<V, n>& other)
      : coordinates_(n) {
    for (int i = 0; i < n; ++i) new (coordinates_.data() + i) V(other[i]);
  }
  /// `size` coordinates that are not initialized.
  MCT_ALWAYS_INLINE static Point of_size(int size) {
    Point p;
    p.coordinates_ = point_detail::Coordinates<V>(size);
    return p;
  }

  MCT_ALWAYS_INLINE int size() const { return coordinates_.size(); }
  MCT_ALWAYS_INLINE V& operator[](int i) { return coordinates_.data()[i]; }
  MCT_ALWAYS_INLINE const V& operator[](int i) const { return coordinates_.data()[i]; }

 private:
  static int checked(int size) {
    if (size < 0)
      throw ShapeError("Point: the number of coordinates is " + std::to_string(size) +
                       ", expected at least 0");
    return size;
  }

  point_detail::Coordinates<V> coordinates_;
};

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// n + k for a number of coordinates that may be dynamic.
template <int n, int k>
inline constexpr int dimension_plus = n == dynamic ? dynamic : n + k;

/// The point with coordinates f(0) ... f(size - 1).
template <class P, class F>
MCT_HD MCT_ALWAYS_INLINE constexpr P generate(int size, const F& f) {
  P r = P::of_size(size);
  for (int i = 0; i < size; ++i) r[i] = f(i);
  return r;
}

template <class V, int n>
MCT_HD MCT_ALWAYS_INLINE constexpr void require_same_size([[maybe_unused]] const Point<V, n>& x,
                                                          [[maybe_unused]] const Point<V, n>& y) {
#ifndef __CUDA_ARCH__  // where sizes are fixed
  // a batch was checked when its lanes were filled
  if constexpr (n == dynamic && is_component_v<limb_t<V>>) {
    if (x.size() != y.size())
      throw ShapeError("points of " + std::to_string(x.size()) + " and of " +
                       std::to_string(y.size()) +
                       " coordinates cannot be combined; the numbers must be equal");
  }
#endif
}
/// Throws ShapeError unless a point has at least `least` coordinates.
template <class V, int n>
MCT_HD MCT_ALWAYS_INLINE constexpr void require_coordinates([[maybe_unused]] const Point<V, n>& x,
                                                            [[maybe_unused]] int least) {
#ifndef __CUDA_ARCH__
  if constexpr (n == dynamic && is_component_v<limb_t<V>>) {
    if (x.size() < least)
      throw ShapeError("a point of " + std::to_string(x.size()) +
                       " coordinates is given, expected at least " + std::to_string(least) +
                       " coordinates");
  }
#endif
}

}  // namespace detail

/// x + y, x - y and dot(x, y) throw ShapeError if the points have different numbers of coordinates.
template <class V, int n>
MCT_HD constexpr Point<V, n> operator+(const Point<V, n>& x, const Point<V, n>& y) {
  detail::require_same_size(x, y);
  return detail::generate<Point<V, n>>(x.size(), [&](int i) { return V(x[i] + y[i]); });
}
template <class V, int n>
MCT_HD constexpr Point<V, n> operator-(const Point<V, n>& x, const Point<V, n>& y) {
  detail::require_same_size(x, y);
  return detail::generate<Point<V, n>>(x.size(), [&](int i) { return V(x[i] - y[i]); });
}
template <class V, int n>
MCT_HD constexpr Point<V, n> operator-(const Point<V, n>& x) {
  return detail::generate<Point<V, n>>(x.size(), [&](int i) {
    using ::mct::detail::negated;
    if constexpr (is_expansion_v<V>) {
      return V(-x[i]);
    } else {
      return V(negated(x[i]));
    }
  });
}
template <class V, int n>
MCT_HD constexpr Point<V, n> operator*(const Point<V, n>& x, const std::type_identity_t<V>& a) {
  return detail::generate<Point<V, n>>(x.size(), [&](int i) { return V(x[i] * a); });
}
template <class V, int n>
MCT_HD constexpr Point<V, n> operator*(const std::type_identity_t<V>& a, const Point<V, n>& x) {
  return x * a;
}
template <class V, int n>
MCT_HD constexpr Point<V, n> operator/(const Point<V, n>& x, const std::type_identity_t<V>& a) {
  return detail::generate<Point<V, n>>(x.size(), [&](int i) { return V(x[i] / a); });
}
template <class V, int n>
MCT_HD constexpr Point<V, n>& operator+=(Point<V, n>& x, const Point<V, n>& y) {
  return x = x + y;
}
template <class V, int n>
MCT_HD constexpr Point<V, n>& operator-=(Point<V, n>& x, const Point<V, n>& y) {
  return x = x - y;
}

/// True if both points have the same number of coordinates and all coordinates are equal.
template <class V, int n>
MCT_HD constexpr bool operator==(const Point<V, n>& x, const Point<V, n>& y) {
  if (x.size() != y.size()) return false;
  for (int i = 0; i < x.size(); ++i)
    if (!(x[i] == y[i])) return false;
  return true;
}

namespace detail {

/// The inner product for two components. Only terms of the low parts are rounded.
template <class V, int n>
MCT_HD constexpr V double_word_dot(const Point<V, n>& x, const Point<V, n>& y) {
  using L = ::mct::detail::limb_t<V>;
  L high(scalar_t<L>(0)), low(scalar_t<L>(0));
  for (int i = 0; i < x.size(); ++i) {
    const auto& [x_high, x_low] = x[i].limb;
    const auto& [y_high, y_low] = y[i].limb;
    const auto [product, product_low] = two_prod(x_high, y_high);
    const auto [sum, rest] = two_sum(high, product);
    const L mixed = multiply_add<L>(x_high, y_low, multiply_add<L>(x_low, y_high, product_low));
    high = sum;
    low = low + (rest + mixed);
  }
  const auto [sum, rest] = two_sum(high, low);
  return V::from_limbs(sum, rest);
}

}  // namespace detail

/// The Euclidean inner product. Error: about n u^N sum |x_i y_i|, for two components n^2 / 2
/// instead of n.
template <class V, int n>
MCT_HD constexpr V dot(const Point<V, n>& x, const Point<V, n>& y) {
  detail::require_same_size(x, y);
  if constexpr (is_expansion_v<V> && ::mct::detail::limbs_of<V> == 2) {
    return detail::double_word_dot(x, y);
  } else {
    V sum = V(scalar_t<V>(0));
    for (int i = 0; i < x.size(); ++i) {
      if constexpr (detail::rounds_once<V>) {
        sum = detail::multiply_add(x[i], y[i], sum);
      } else {
        sum = sum + x[i] * y[i];
      }
    }
    return sum;
  }
}
/// dot(x, x). It may over- or underflow; norm does not.
template <class V, int n>
MCT_HD constexpr V squared_norm(const Point<V, n>& x) {
  return dot(x, x);
}

namespace detail {

/// Coordinates in their work type, and back.
template <class V, int n>
MCT_HD MCT_ALWAYS_INLINE constexpr Point<work_t<V>, n> to_work(const Point<V, n>& x) {
  if constexpr (is_work_v<V>) {
    return x;
  } else {
    return generate<Point<work_t<V>, n>>(x.size(), [&](int i) { return to_work(x[i]); });
  }
}
template <class V, int n>
MCT_HD MCT_ALWAYS_INLINE constexpr Point<V, n> from_work(const Point<work_t<V>, n>& x) {
  if constexpr (is_work_v<V>) {
    return x;
  } else {
    return generate<Point<V, n>>(x.size(), [&](int i) { return from_work<V>(x[i]); });
  }
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
