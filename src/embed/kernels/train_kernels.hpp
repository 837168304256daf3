// The loop of training over examples, whose others are in the lanes of registers; steps are in
// step_kernels.hpp.
#pragma once

#include <vector>

#include "src/embed/kernels/example_loop.hpp"
#include "src/embed/kernels/step_kernels.hpp"
#include "src/embed/kernels/train_table.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using embed_detail::ExampleResults;

/// Examples whose others are in registers, one at a time.
template <class Place>
class ExampleRegisters {
  using Coordinates = typename Place::Coordinates;
  using T = scalar_t<typename Place::Lanes>;

 public:
  using V = typename Place::Lanes;
  static constexpr int width = int(lanes<V>);
  using Sums = PartialSums<V, width>;
  static constexpr bool one_factor = false;
  static constexpr int sums_at_hand = 4;

  ExampleRegisters(const PointTable<const double>& points, const Examples& examples,
                   const ExampleResults<T>& results)
      : points_(points),
        examples_(examples),
        results_(results),
        coordinates_(points.dimensions + Place::more),
        registers_((examples.others + width - 1) / width),
        cells_(ExampleLoop<Place, ExampleRegisters>::cells(coordinates_, points.factors)),
        memory_(std::size_t(cells_) * std::size_t(registers_)),
        sources_(static_cast<std::size_t>(points.factors)),
        more_(std::size_t(coordinates_ > sums_at_hand ? coordinates_ - sums_at_hand : 0)) {}

  MCT_ALWAYS_INLINE void begin(std::int64_t e) {
    example_ = e;
    base_ = e * (1 + examples_.others);
    others_ = examples_.rows + base_ + 1;
  }
  /// Asks memory for the points of an example, which lie anywhere.
  MCT_ALWAYS_INLINE void fetch(std::int64_t e) const {
    const std::int32_t* rows = examples_.rows + e * (1 + examples_.others);
    for (int i = 0; i <= examples_.others; ++i) fetch_row(points_, rows[i]);
  }

  MCT_ALWAYS_INLINE int registers() const { return registers_; }
  MCT_ALWAYS_INLINE Coordinates& source(int f) { return sources_[std::size_t(f)].point; }
  MCT_ALWAYS_INLINE V& own(int f) { return sources_[std::size_t(f)].weight; }
  MCT_ALWAYS_INLINE Coordinates load_source(int f) const { return load(others_ - 1, 1, f); }
  MCT_ALWAYS_INLINE Coordinates load_others(int r, int f) const {
    const int first = r * width;
    return load(others_ + first, examples_.others - first, f);
  }
  MCT_ALWAYS_INLINE const V& cell(int i, int r) const {
    return memory_[std::size_t(r) * std::size_t(cells_) + std::size_t(i)];
  }
  MCT_ALWAYS_INLINE void keep(int i, int r, const V& x) {
    memory_[std::size_t(r) * std::size_t(cells_) + std::size_t(i)] = x;
  }
  MCT_ALWAYS_INLINE Sums& more_sums(int i) { return more_[std::size_t(i)]; }
  MCT_ALWAYS_INLINE V where_there(int r, const V& x, T nobody) const {
    const int first = r * width;
    if (first + width <= examples_.others && !has_gaps(others_ + first)) return x;
    auto all = array_of(x);
    for (int j = 0; j < width; ++j)
      if (first + j >= examples_.others || others_[first + j] < 0) all[j] = nobody;
    return load_lanes<V>(&all[0]);
  }
  MCT_ALWAYS_INLINE static T first_of(const V& x) { return array_of(x)[0]; }
  MCT_ALWAYS_INLINE static V with_first(const V& x, T first) {
    auto all = array_of(x);
    all[0] = first;
    return load_lanes<V>(&all[0]);
  }
  MCT_ALWAYS_INLINE static T smallest(const V& x) {
    const auto all = array_of(x);
    T least = all[0];
    for (int j = 1; j < width; ++j) least = all[j] < least ? all[j] : least;
    return least;
  }
  MCT_ALWAYS_INLINE static T total(const Sums& sums) {
    constexpr int count = partial_sums<V>;
    T part[count];
    for (int i = 0; i < Sums::registers; ++i)
      store_lanes(sums.sum(i), part + std::ptrdiff_t(i) * width);
#pragma GCC unroll 8
    for (int half = count / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (int i = 0; i < half; ++i) part[i] = part[i] + part[i + half];
    return part[0];
  }
  MCT_ALWAYS_INLINE double share() const { return examples_.shares[example_]; }
  MCT_ALWAYS_INLINE void put(int i, int r, const V& x) const {
    const int first = r * width;
    const int left = examples_.others - first;
    T* to = results_.gradients + i * results_.plane + base_ + 1 + first;
    if (left >= width) {
      store_lanes(x, to);
      return;
    }
    const auto all = array_of(x);
    for (int j = 0; j < left; ++j) to[j] = all[j];
  }
  MCT_ALWAYS_INLINE void put_source(int i, T x) const {
    results_.gradients[i * results_.plane + base_] = x;
  }
  MCT_ALWAYS_INLINE void set_loss(double x) const { results_.losses[example_] = x; }
  static constexpr bool wants_slope() { return true; }
  MCT_ALWAYS_INLINE void set_slope(double x) const { results_.slopes[example_] = x; }

 private:
  struct Source {
    Coordinates point;
    V weight;
  };

  using Array = geometry::Point<T, width>;
  MCT_ALWAYS_INLINE static Array array_of(const V& x) {
    Array all;
    store_lanes(x, &all[0]);
    return all;
  }
  /// The points of up to a register of rows; a lane after them, or of no row, has the first one.
  MCT_ALWAYS_INLINE Coordinates load(const std::int32_t* rows, int count, int factor) const {
    const int offset = factor * (points_.numbers / points_.factors);
    LaneRows<V, const double> at;
    for (int j = 0; j < width; ++j) {
      const std::int32_t row = rows[j < count && rows[j] >= 0 ? j : 0];
      at.row[j] = points_.data + std::int64_t(row < 0 ? 0 : row) * points_.numbers + offset;
    }
    return Place::load(at, coordinates_of<Place>(coordinates_));
  }
  MCT_ALWAYS_INLINE static bool has_gaps(const std::int32_t* rows) {
    std::int32_t all = 0;
    for (int j = 0; j < width; ++j) all |= rows[j];
    return all < 0;
  }

  const PointTable<const double>& points_;
  const Examples& examples_;
  const ExampleResults<T>& results_;
  int coordinates_, registers_, cells_;
  std::vector<V> memory_;  // [registers][cells]
  std::vector<Source> sources_;
  std::vector<Sums> more_;  // of the coordinates that have none in registers
  std::int64_t example_ = 0, base_ = 0;
  const std::int32_t* others_ = nullptr;
};

template <class Place>
void example_gradients(const PointTable<const double>& points, const Examples& examples,
                       std::int64_t begin, std::int64_t end,
                       const ExampleResults<scalar_t<typename Place::Lanes>>& results) {
  ExampleRegisters<Place> registers(points, examples, results);
  const ExampleLoop<Place, ExampleRegisters<Place>> loop(points, examples, registers);
  for (std::int64_t e = begin; e < end; ++e) {
    if (e + 1 < end) registers.fetch(e + 1);
    registers.begin(e);
    loop.run();
  }
}

/// The kernels of the first of these places that has points of so many components and dimensions.
template <class T, class... Places>
embed_detail::TrainKernels<T> train_kernels_among(int components, int dimensions) {
  embed_detail::TrainKernels<T> r;
  [[maybe_unused]] const auto offer = [&]<class Place>() {
    const int coordinates = dimensions + Place::more;
    if (r.step == nullptr && Place::stored_components == components &&
        coordinates_of<Place>(coordinates) == coordinates)
      r = {&example_gradients<Place>, &example_step<Place>};
  };
  (offer.template operator()<Places>(), ...);
  return r;
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
