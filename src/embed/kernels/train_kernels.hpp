// The loop of training over examples: their loss and its gradients; steps are in step_kernels.hpp.
//
// Sums over the others of an example go by eight partial sums whatever the width of a register, so
// that all instruction sets (with fma) have the same bits.
#pragma once

#include <vector>

#include "src/embed/kernels/places.hpp"
#include "src/embed/kernels/step_kernels.hpp"
#include "src/embed/kernels/train_table.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using embed_detail::ExampleResults;
using embed_detail::Examples;

/// Eight partial sums; element i of a row goes to sum i % 8.
class PartialSums {
 public:
  MCT_ALWAYS_INLINE PartialSums() {
    for (PlaceLanes& s : sums_) s = PlaceLanes(0.0);
  }
  MCT_ALWAYS_INLINE void add(int reg, const PlaceLanes& x) {
    PlaceLanes& s = sums_[reg % registers];
    s = s + x;
  }
  MCT_ALWAYS_INLINE double total() const {
    double part[8];
    for (int i = 0; i < registers; ++i)
      store_lanes(sums_[i], part + std::ptrdiff_t(i) * place_lanes);
    return ((part[0] + part[4]) + (part[2] + part[6])) +
           ((part[1] + part[5]) + (part[3] + part[7]));
  }

 private:
  static constexpr int registers = 8 / place_lanes;
  PlaceLanes sums_[registers];
};

/// What is kept of the others of one example between the passes, a register of them at a time: of
/// their distances, and of each factor of a product.
template <class Coordinates>
struct ExampleMemory {
  struct Factor {
    Coordinates source;
    PlaceLanes own;
    std::vector<PlaceLanes> difference;  // [registers][coordinates], from the other to the source
    std::vector<PlaceLanes> weight, square, slope, length;
  };
  static constexpr int most_in_registers = 4;

  int coordinates, registers;
  std::vector<Factor> factors;
  std::vector<PartialSums> more;  // of the coordinates that have none in registers
  std::vector<PlaceLanes> length, power;

  ExampleMemory(int n, int others, int count)
      : coordinates(n),
        registers((others + place_lanes - 1) / place_lanes),
        factors(static_cast<std::size_t>(count)),
        more(static_cast<std::size_t>(n > most_in_registers ? n - most_in_registers : 0)),
        length(static_cast<std::size_t>(registers)),
        power(static_cast<std::size_t>(registers)) {
    for (Factor& f : factors) {
      f.difference.resize(std::size_t(n) * std::size_t(registers));
      for (auto* all : {&f.weight, &f.square, &f.slope, &f.length})
        all->resize(std::size_t(registers));
    }
  }
};

/// The loss -log softmax(-sharpness d)_0 of one example, and its gradients.
template <class Place>
class ExampleLoop {
  using V = PlaceLanes;
  using Coordinates = typename Place::Coordinates;
  using Memory = ExampleMemory<Coordinates>;
  using Factor = typename Memory::Factor;

 public:
  MCT_ALWAYS_INLINE ExampleLoop(const PointTable<const double>& points, const Examples& examples,
                                const ExampleResults& results, Memory& memory)
      : points_(points), examples_(examples), results_(results), memory_(memory) {}

  /// Asks memory for the points of an example, which lie anywhere.
  MCT_ALWAYS_INLINE void fetch(std::int64_t e) const {
    const std::int32_t* rows = examples_.rows + e * (1 + examples_.others);
    for (int i = 0; i <= examples_.others; ++i) fetch_row(points_, rows[i]);
  }
  MCT_ALWAYS_INLINE void run(std::int64_t e) const {
    const std::int32_t* rows = examples_.rows + e * (1 + examples_.others);
    for (int f = 0; f < points_.factors; ++f) {
      Factor& factor = memory_.factors[std::size_t(f)];
      factor.source = load(rows, 1, f);
      factor.own = Place::weight(factor.source);
    }
    V least(FloatTraits<double>::infinity);
    for (int r = 0; r < memory_.registers; ++r) measure(rows + 1, r, least);
    const double nearest = smallest(least);
    PartialSums rest;
    for (int r = 0; r < memory_.registers; ++r) {
      memory_.power[std::size_t(r)] = chances(rows + 1, r, nearest);
      rest.add(r, r == 0 ? without_first(memory_.power[0]) : memory_.power[std::size_t(r)]);
    }
    const double of_negatives = rest.total();
    const double of_target = first_of(memory_.power[0]);
    const double total = of_negatives + of_target;
    results_.losses[e] =
        examples_.sharpness * (first_of(memory_.length[0]) - nearest) + std::log(total);
    differentiate(e, of_negatives / total, 1 / total);
    for (int f = 0; f < points_.factors; ++f) spread(e, f);
  }

 private:
  MCT_ALWAYS_INLINE int coordinates() const { return coordinates_of<Place>(memory_.coordinates); }
  MCT_ALWAYS_INLINE static double first_of(const V& x) {
    double all[place_lanes];
    store_lanes(x, all);
    return all[0];
  }
  MCT_ALWAYS_INLINE static double smallest(const V& x) {
    double all[place_lanes];
    store_lanes(x, all);
    double least = all[0];
    for (int j = 1; j < place_lanes; ++j) least = all[j] < least ? all[j] : least;
    return least;
  }
  MCT_ALWAYS_INLINE static V without_first(const V& x) {
    double all[place_lanes];
    store_lanes(x, all);
    all[0] = 0;
    return load_lanes<V>(all);
  }
  /// The points of up to a register of rows; a lane behind them, or of no row, has the first one.
  MCT_ALWAYS_INLINE Coordinates load(const std::int32_t* rows, int count, int factor) const {
    const int offset = factor * (points_.numbers / points_.factors);
    LaneRows<const double> at;
    for (int j = 0; j < place_lanes; ++j) {
      const std::int32_t row = rows[j < count && rows[j] >= 0 ? j : 0];
      at.row[j] = points_.data + std::int64_t(row < 0 ? 0 : row) * points_.numbers + offset;
    }
    return Place::load(at, coordinates());
  }
  /// The distances of a register of others, the root of the sum of the factors' squares.
  MCT_ALWAYS_INLINE void measure(const std::int32_t* others, int r, V& least) const {
    const auto at = std::size_t(r);
    V sum(0.0);
    for (int f = 0; f < points_.factors; ++f) {
      measure(others, r, f);
      const V s = memory_.factors[std::size_t(f)].length[at];
      sum = sum + s * s;
    }
    memory_.length[at] =
        points_.factors == 1 ? memory_.factors[0].length[at] : geometry::detail::root(sum);
    const V length = where_there(others, r, memory_.length[at], FloatTraits<double>::infinity);
    least = geometry::halfspace_detail::smaller(least, length);
  }
  MCT_ALWAYS_INLINE void measure(const std::int32_t* others, int r, int f) const {
    Factor& factor = memory_.factors[std::size_t(f)];
    const auto at = std::size_t(r);
    const int first = r * place_lanes;
    const Coordinates y = load(others + first, examples_.others - first, f);
    V* d = factor.difference.data() + at * std::size_t(coordinates());
    V sum(0.0);
    for (int i = 0; i < coordinates(); ++i) {
      d[i] = Place::difference(factor.source, y, i);
      sum = sum + d[i] * d[i];
    }
    const V other = Place::weight(y);
    const V q = Place::square(factor.source, y, sum, factor.own, other);
    const auto arc = geometry::detail::arc_of_square(q);
    factor.weight[at] = other;
    factor.square[at] = q;
    factor.length[at] = arc.length;
    // equal points have no gradient
    const V zero(0.0);
    factor.slope[at] =
        geometry::detail::blend(arc.half_sinh == zero, zero, V(V(1.0) / arc.half_sinh));
  }
  /// e^(-sharpness (d - nearest)), 0 where there is no other.
  MCT_ALWAYS_INLINE V chances(const std::int32_t* others, int r, double nearest) const {
    const V x = (V(nearest) - memory_.length[std::size_t(r)]) * V(examples_.sharpness);
    return where_there(others, r, ::mct::detail::plain::exp<1>(x), 0);
  }
  /// x, and another number in the lanes where there is no other.
  MCT_ALWAYS_INLINE V where_there(const std::int32_t* others, int r, const V& x,
                                  double nobody) const {
    const int first = r * place_lanes;
    if (first + place_lanes <= examples_.others && !has_gaps(others + first)) return x;
    double all[place_lanes];
    store_lanes(x, all);
    for (int j = 0; j < place_lanes; ++j)
      if (first + j >= examples_.others || others[first + j] < 0) all[j] = nobody;
    return load_lanes<V>(all);
  }
  MCT_ALWAYS_INLINE static bool has_gaps(const std::int32_t* rows) {
    std::int32_t all = 0;
    for (int j = 0; j < place_lanes; ++j) all |= rows[j];
    return all < 0;
  }
  /// The derivatives by the distances, where the powers were, and by the sharpness.
  MCT_ALWAYS_INLINE void differentiate(std::int64_t e, double miss, double inverse) const {
    const double scale = examples_.sharpness * examples_.shares[e];
    PartialSums by_length;
    for (int r = 0; r < memory_.registers; ++r) {
      V& c = memory_.power[std::size_t(r)];
      c = c * V(-inverse * scale);
      if (r == 0) c = with_first(c, miss * scale);
      by_length.add(r, c * memory_.length[std::size_t(r)]);
    }
    results_.slopes[e] = by_length.total() / examples_.sharpness;
  }
  /// The derivatives by a factor's distances.
  MCT_ALWAYS_INLINE V derivative(const Factor& factor, std::size_t at) const {
    if (points_.factors == 1) return memory_.power[at];
    const V length = geometry::halfspace_detail::nonzero(memory_.length[at]);
    return memory_.power[at] * (factor.length[at] / length);
  }
  /// The gradients by all points of a factor.
  MCT_ALWAYS_INLINE void spread(std::int64_t e, int f) const {
    const Factor& factor = memory_.factors[std::size_t(f)];
    const Coordinates& u = factor.source;
    const int n = coordinates();
    PartialSums by_square;
    // of the source: a(y) (u - y) now, q w(u) at the end
    PartialSums sums[most_in_registers];
    std::vector<PartialSums>& more = memory_.more;
    for (PartialSums& sum : more) sum = PartialSums();
    const std::int64_t base = e * (1 + examples_.others);
    for (int r = 0; r < memory_.registers; ++r) {
      const auto at = std::size_t(r);
      const auto first = std::int64_t(r) * place_lanes;
      const V g = derivative(factor, at) * factor.slope[at];
      const V gq = g * factor.square[at];
      by_square.add(r, gq);
      const V* d = factor.difference.data() + at * std::size_t(n);
      const V toward = g * factor.own;
      const V away = g * factor.weight[at];
      for (int i = 0; i < n; ++i) {
        (i < most_in_registers ? sums[i] : more[std::size_t(i - most_in_registers)])
            .add(r, away * d[i]);
        const V y = leading(u, i) - d[i];
        const V out = gq * Place::along(y, i, n) - toward * d[i];
        put(f * n + i, base + 1 + first, examples_.others - int(first), out);
      }
    }
    const double bent = by_square.total();
    for (int i = 0; i < n; ++i) {
      const double straight =
          (i < most_in_registers ? sums[i] : more[std::size_t(i - most_in_registers)]).total();
      results_.gradients[(f * n + i) * results_.plane + base] =
          straight + bent * first_of(Place::along(leading(u, i), i, n));
    }
  }
  MCT_ALWAYS_INLINE static V leading(const Coordinates& u, int i) { return component_of(u[i], 0); }
  MCT_ALWAYS_INLINE static V with_first(const V& x, double first) {
    double all[place_lanes];
    store_lanes(x, all);
    all[0] = first;
    return load_lanes<V>(all);
  }
  MCT_ALWAYS_INLINE void put(int i, std::int64_t at, int left, const V& x) const {
    double* to = results_.gradients + i * results_.plane + at;
    if (left >= place_lanes) {
      store_lanes(x, to);
      return;
    }
    double all[place_lanes];
    store_lanes(x, all);
    for (int j = 0; j < left; ++j) to[j] = all[j];
  }

  static constexpr int most_in_registers = Memory::most_in_registers;
  const PointTable<const double>& points_;
  const Examples& examples_;
  const ExampleResults& results_;
  Memory& memory_;
};

template <class Place>
[[gnu::flatten]] void example_gradients(const PointTable<const double>& points,
                                        const Examples& examples, std::int64_t begin,
                                        std::int64_t end, const ExampleResults& results) {
  ExampleMemory<typename Place::Coordinates> memory(points.dimensions + Place::more,
                                                    examples.others, points.factors);
  const ExampleLoop<Place> loop(points, examples, results, memory);
  for (std::int64_t e = begin; e < end; ++e) {
    if (e + 1 < end) loop.fetch(e + 1);
    loop.run(e);
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
