// Softmax, its logarithm, GELU and their gradients of every plain format, in lanes of double.
#include <cmath>
#include <limits>

#include "mctensor/math/plain/exp.hpp"
#include "src/autograd/kernels/row_table.hpp"
#include "src/tensor/component_list.hpp"
#include "src/tensor/kernels/narrowing_stores.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using autograd_detail::RowPowers;
using RowLanes = widest_batch<double>;
inline constexpr auto row_lanes = std::int64_t(lanes<RowLanes>);

/// As many neighbours as there are lanes.
struct WholeLanes {
  template <class T>
  MCT_ALWAYS_INLINE RowLanes load(const T* p, double) const {
    return load_converted<RowLanes>(p);
  }
  template <class T>
  MCT_ALWAYS_INLINE void store(const RowLanes& x, T* p) const {
    store_converted(x, p);
  }
};

/// Fewer: the other lanes hold numbers that change nothing.
struct FirstLanes {
  std::int64_t count;

  template <class T>
  MCT_ALWAYS_INLINE RowLanes load(const T* p, double rest) const {
    T buffer[row_lanes];
    for (std::int64_t k = 0; k < row_lanes; ++k) buffer[k] = k < count ? p[k] : T(rest);
    return load_converted<RowLanes>(static_cast<const T*>(buffer));
  }
  template <class T>
  MCT_ALWAYS_INLINE void store(const RowLanes& x, T* p) const {
    T buffer[row_lanes];
    store_converted(x, static_cast<T*>(buffer));
    for (std::int64_t k = 0; k < count; ++k) p[k] = buffer[k];
  }
};

/// Calls f(access, i, part) for neighbours i, i + 1, ..., which belong to the partial sums from
/// `part` registers on: element i to partial sum i modulo 8.
template <class F>
MCT_ALWAYS_INLINE inline void for_each_lanes(std::int64_t n, const F& f) {
  constexpr std::int64_t parts = 8 / row_lanes;
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::int64_t part = 0; part < parts; ++part) f(WholeLanes(), i + part * row_lanes, part);
  for (std::int64_t part = 0; i + row_lanes <= n; i += row_lanes) f(WholeLanes(), i, part++);
  if (i < n) f(FirstLanes{n - i}, i, i % 8 / row_lanes);
}

/// Eight partial sums, added in an order that does not depend on the registers.
class EightSums {
 public:
  EightSums() {
    for (RowLanes& part : parts_) part = RowLanes(0.0);
  }
  MCT_ALWAYS_INLINE void add(std::int64_t part, const RowLanes& x) {
    parts_[part] = parts_[part] + x;
  }
  double value() const {
    double all[8];
    for (std::int64_t part = 0; part < 8 / row_lanes; ++part)
      store_lanes(parts_[part], all + part * row_lanes);
    return ((all[0] + all[4]) + (all[1] + all[5])) + ((all[2] + all[6]) + (all[3] + all[7]));
  }

 private:
  RowLanes parts_[8 / row_lanes];
};

/// e^x, as exactly as a T needs it.
template <class T>
MCT_ALWAYS_INLINE inline RowLanes exp_for(const RowLanes& x) {
  return detail::plain::exp < std::is_same_v<T, double> ? 2 : 1 > (x);
}

constexpr double row_nothing = -std::numeric_limits<double>::infinity();

/// The largest element; NaN is not larger than any.
template <class T>
double largest_of(const T* x, std::int64_t n) {
  RowLanes best(row_nothing);
  for_each_lanes(n, [&](const auto& access, std::int64_t i, std::int64_t) {
    const RowLanes v = access.load(x + i, row_nothing);
    best = detail::blend(best < v, v, best);
  });
  double all[row_lanes];
  store_lanes(best, all);
  double largest = all[0];
  for (const double each : all) largest = largest < each ? each : largest;
  return largest;
}

/// Calls use(access, i, e^(x - largest)) and returns the sum.
template <class T, class Use>
MCT_ALWAYS_INLINE inline RowPowers add_powers(const T* x, std::int64_t n, const Use& use) {
  const double largest = largest_of(x, n);
  EightSums sum;
  for_each_lanes(n, [&](const auto& access, std::int64_t i, std::int64_t part) {
    const RowLanes v = access.load(x + i, row_nothing) - RowLanes(largest);
    const RowLanes power = exp_for<T>(v);
    sum.add(part, power);
    use(access, i, power);
  });
  return {largest, sum.value()};
}

template <class T>
RowPowers softmax(const T* x, std::int64_t n, double* powers, T* out) {
  const auto found =
      add_powers(x, n, [&](const auto& access, std::int64_t i, const RowLanes& power) {
        access.store(power, powers + i);
      });
  const RowLanes factor(1 / found.total);
  for_each_lanes(n, [&](const auto& access, std::int64_t i, std::int64_t) {
    access.store(RowLanes(access.load(powers + i, 0) * factor), out + i);
  });
  return found;
}

template <class T>
void log_softmax(const T* x, std::int64_t n, T* out) {
  const auto found = add_powers(x, n, [](const auto&, std::int64_t, const RowLanes&) {});
  const RowLanes largest(found.largest);
  const RowLanes rest(std::log(found.total));
  for_each_lanes(n, [&](const auto& access, std::int64_t i, std::int64_t) {
    access.store(RowLanes((access.load(x + i, 0) - largest) - rest), out + i);
  });
}

template <class T>
void softmax_backward(const T* r, const T* g, std::int64_t n, T* out) {
  EightSums sum;
  for_each_lanes(n, [&](const auto& access, std::int64_t i, std::int64_t part) {
    sum.add(part, access.load(r + i, 0) * access.load(g + i, 0));
  });
  const RowLanes mean(sum.value());
  for_each_lanes(n, [&](const auto& access, std::int64_t i, std::int64_t) {
    access.store(RowLanes(access.load(r + i, 0) * (access.load(g + i, 0) - mean)), out + i);
  });
}

template <class T>
void log_softmax_backward(const T* r, const T* g, std::int64_t n, T* out) {
  EightSums sum;
  for_each_lanes(n, [&](const auto& access, std::int64_t i, std::int64_t part) {
    sum.add(part, access.load(g + i, 0));
  });
  const RowLanes total(sum.value());
  for_each_lanes(n, [&](const auto& access, std::int64_t i, std::int64_t) {
    const RowLanes power = exp_for<T>(access.load(r + i, 0));
    access.store(RowLanes(access.load(g + i, 0) - power * total), out + i);
  });
}

template <class T>
void gelu_backward(const T* x, const T* r, const T* g, std::int64_t n, T* out) {
  using V = RowLanes;
  const V density(0.39894228040143267794);  // 1 / sqrt(2 pi)
  // four times the smallest normal number of T
  const V tiny(pow2<double>(FloatTraits<T>::emin + FloatTraits<T>::p + 1));
  const V infinity(std::numeric_limits<double>::infinity());
  for_each_lanes(n, [&](const auto& access, std::int64_t i, std::int64_t) {
    const V v = access.load(x + i, 1);
    const V size = detail::magnitude(v);
    const V power = exp_for<T>(V(V(-0.5) * v * v));
    // r / x is Phi without the cancellation of 1 + erf; where r may be subnormal, the first terms
    // of its series are exact enough
    const V phi = detail::blend(size < tiny, V(V(0.5) + v * density), V(access.load(r + i, 1) / v));
    const V slope = phi + v * (density * power);
    const V far = detail::blend(v < V(0.0), V(0.0), V(1.0));
    access.store(V(access.load(g + i, 0) * detail::blend(size == infinity, far, slope)), out + i);
  });
}

template <class T>
constexpr autograd_detail::RowTable<T> make_row_table() {
  return {&softmax<T>, &log_softmax<T>, &softmax_backward<T>, &log_softmax_backward<T>,
          &gelu_backward<T>};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct::autograd_detail::MCT_KERNELS {

#define MCT_DEFINE_ROWS(T)                                             \
  template <>                                                          \
  const RowTable<T>& row_table<T>() {                                  \
    static constexpr RowTable<T> table = kernels::make_row_table<T>(); \
    return table;                                                      \
  }
MCT_FOR_EACH_COMPONENT(MCT_DEFINE_ROWS)
#undef MCT_DEFINE_ROWS

}  // namespace mct::autograd_detail::MCT_KERNELS
