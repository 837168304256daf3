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

 public:
  using V = PlaceLanes;
  using Sums = PartialSums<V, place_lanes>;
  static constexpr int width = place_lanes;
  static constexpr bool one_factor = false;
  static constexpr int sums_at_hand = 4;

  ExampleRegisters(const PointTable<const double>& points, const Examples& examples,
                   const ExampleResults& results)
      : points_(points),
        examples_(examples),
        results_(results),
        coordinates_(points.dimensions + Place::more),
        registers_((examples.others + place_lanes - 1) / place_lanes),
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
    const int first = r * place_lanes;
    return load(others_ + first, examples_.others - first, f);
  }
  MCT_ALWAYS_INLINE const V& cell(int i, int r) const {
    return memory_[std::size_t(r) * std::size_t(cells_) + std::size_t(i)];
  }
  MCT_ALWAYS_INLINE void keep(int i, int r, const V& x) {
    memory_[std::size_t(r) * std::size_t(cells_) + std::size_t(i)] = x;
  }
  MCT_ALWAYS_INLINE Sums& more_sums(int i) { return more_[std::size_t(i)]; }
  MCT_ALWAYS_INLINE V where_there(int r, const V& x, double nobody) const {
    const int first = r * place_lanes;
    if (first + place_lanes <= examples_.others && !has_gaps(others_ + first)) return x;
    auto all = array_of(x);
    for (int j = 0; j < place_lanes; ++j)
      if (first + j >= examples_.others || others_[first + j] < 0) all[j] = nobody;
    return load_lanes<V>(&all[0]);
  }
  MCT_ALWAYS_INLINE static double first_of(const V& x) { return array_of(x)[0]; }
  MCT_ALWAYS_INLINE static V with_first(const V& x, double first) {
    auto all = array_of(x);
    all[0] = first;
    return load_lanes<V>(&all[0]);
  }
  MCT_ALWAYS_INLINE static double smallest(const V& x) {
    const auto all = array_of(x);
    double least = all[0];
    for (int j = 1; j < place_lanes; ++j) least = all[j] < least ? all[j] : least;
    return least;
  }
  MCT_ALWAYS_INLINE static double total(const Sums& sums) {
    double part[8];
    for (int i = 0; i < Sums::registers; ++i)
      store_lanes(sums.sum(i), part + std::ptrdiff_t(i) * place_lanes);
    return ((part[0] + part[4]) + (part[2] + part[6])) +
           ((part[1] + part[5]) + (part[3] + part[7]));
  }
  MCT_ALWAYS_INLINE double share() const { return examples_.shares[example_]; }
  MCT_ALWAYS_INLINE void put(int i, int r, const V& x) const {
    const int first = r * place_lanes;
    const int left = examples_.others - first;
    double* to = results_.gradients + i * results_.plane + base_ + 1 + first;
    if (left >= place_lanes) {
      store_lanes(x, to);
      return;
    }
    const auto all = array_of(x);
    for (int j = 0; j < left; ++j) to[j] = all[j];
  }
  MCT_ALWAYS_INLINE void put_source(int i, double x) const {
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

  using Array = geometry::Point<double, place_lanes>;
  MCT_ALWAYS_INLINE static Array array_of(const V& x) {
    Array all;
    store_lanes(x, &all[0]);
    return all;
  }
  /// The points of up to a register of rows; a lane behind them, or of no row, has the first one.
  MCT_ALWAYS_INLINE Coordinates load(const std::int32_t* rows, int count, int factor) const {
    const int offset = factor * (points_.numbers / points_.factors);
    TableRows<const double> at;
    for (int j = 0; j < place_lanes; ++j) {
      const std::int32_t row = rows[j < count && rows[j] >= 0 ? j : 0];
      at.row[j] = points_.data + std::int64_t(row < 0 ? 0 : row) * points_.numbers + offset;
    }
    return Place::load(at, coordinates_of<Place>(coordinates_));
  }
  MCT_ALWAYS_INLINE static bool has_gaps(const std::int32_t* rows) {
    std::int32_t all = 0;
    for (int j = 0; j < place_lanes; ++j) all |= rows[j];
    return all < 0;
  }

  const PointTable<const double>& points_;
  const Examples& examples_;
  const ExampleResults& results_;
  int coordinates_, registers_, cells_;
  std::vector<V> memory_;  // [registers][cells]
  std::vector<Source> sources_;
  std::vector<Sums> more_;  // of the coordinates that have none in registers
  std::int64_t example_ = 0, base_ = 0;
  const std::int32_t* others_ = nullptr;
};

template <class Place>
void example_gradients(const PointTable<const double>& points, const Examples& examples,
                       std::int64_t begin, std::int64_t end, const ExampleResults& results) {
  ExampleRegisters<Place> registers(points, examples, results);
  const ExampleLoop<Place, ExampleRegisters<Place>> loop(points, examples, registers);
  for (std::int64_t e = begin; e < end; ++e) {
    if (e + 1 < end) registers.fetch(e + 1);
    registers.begin(e);
    loop.run();
  }
}

/// The kernels of the first of these places that has points of so many components and dimensions.
template <class... Places>
embed_detail::TrainKernels train_kernels_among(int components, int dimensions) {
  embed_detail::TrainKernels r;
  const auto offer = [&]<class Place>() {
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
