// The loops of training: the loss of examples and its gradients, steps of rows.
//
// Sums over the others of an example go by eight partial sums whatever the width of a register, so
// that all instruction sets (with fma) have the same bits.
#pragma once

#include <vector>

#include "src/embed/kernels/places.hpp"
#include "src/embed/kernels/train_table.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using embed_detail::ExampleResults;
using embed_detail::Examples;
using embed_detail::PointTable;
using embed_detail::Steps;

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
    for (int i = 0; i < registers; ++i) store_lanes(sums_[i], part + i * place_lanes);
    return ((part[0] + part[4]) + (part[2] + part[6])) +
           ((part[1] + part[5]) + (part[3] + part[7]));
  }

 private:
  static constexpr int registers = 8 / place_lanes;
  PlaceLanes sums_[registers];
};

/// Asks memory for a row; of long ones the first lines, behind which processors fetch by
/// themselves.
template <class P>
MCT_ALWAYS_INLINE inline void fetch_row(const PointTable<P>& points, std::int64_t row) {
  const double* at = points.data + (row < 0 ? 0 : row) * points.numbers;
  __builtin_prefetch(at);
  if (points.numbers > 4) __builtin_prefetch(at + points.numbers - 1);
  if (points.numbers > 16) __builtin_prefetch(at + 8);
}

/// What is kept of the others of one example between the passes; a register of them at a time.
struct ExampleMemory {
  int coordinates, registers;
  std::vector<PlaceLanes> difference;  // [registers][coordinates], from the other to the source
  std::vector<PlaceLanes> weight, square, slope, length, power;

  ExampleMemory(int n, int others)
      : coordinates(n), registers((others + place_lanes - 1) / place_lanes) {
    difference.resize(std::size_t(n * registers));
    for (auto* all : {&weight, &square, &slope, &length, &power})
      all->resize(std::size_t(registers));
  }
};

/// The loss -log softmax(-sharpness d)_0 of one example, and its gradients.
template <class Place>
class ExampleLoop {
  using V = PlaceLanes;
  using Coordinates = typename Place::Coordinates;

 public:
  MCT_ALWAYS_INLINE ExampleLoop(const PointTable<const double>& points, const Examples& examples,
                                const ExampleResults& results, ExampleMemory& memory)
      : points_(points), examples_(examples), results_(results), memory_(memory) {}

  /// Asks memory for the points of an example, which lie anywhere.
  MCT_ALWAYS_INLINE void fetch(std::int64_t e) const {
    const std::int32_t* rows = examples_.rows + e * (1 + examples_.others);
    for (int i = 0; i <= examples_.others; ++i) fetch_row(points_, rows[i]);
  }
  MCT_ALWAYS_INLINE void run(std::int64_t e) const {
    const std::int32_t* rows = examples_.rows + e * (1 + examples_.others);
    const Coordinates u = load(rows, 1);
    const V own = Place::weight(u);
    V least(FloatTraits<double>::infinity);
    for (int r = 0; r < memory_.registers; ++r) measure(rows + 1, r, u, own, least);
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
    spread(e, u, own, of_negatives / total, 1 / total);
  }

 private:
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
  MCT_ALWAYS_INLINE Coordinates load(const std::int32_t* rows, int count) const {
    LaneRows<const double> at;
    for (int j = 0; j < place_lanes; ++j) {
      const std::int32_t row = rows[j < count && rows[j] >= 0 ? j : 0];
      at.row[j] = points_.data + std::int64_t(row < 0 ? 0 : row) * points_.numbers;
    }
    return Place::load(at, memory_.coordinates);
  }
  MCT_ALWAYS_INLINE void measure(const std::int32_t* others, int r, const Coordinates& u,
                                 const V& own, V& least) const {
    const auto at = std::size_t(r);
    const int first = r * place_lanes;
    const int left = examples_.others - first;
    const Coordinates y = load(others + first, left);
    V* d = memory_.difference.data() + at * std::size_t(memory_.coordinates);
    V sum(0.0);
    for (int i = 0; i < memory_.coordinates; ++i) {
      d[i] = Place::difference(u, y, i);
      sum = sum + d[i] * d[i];
    }
    const V other = Place::weight(y);
    const V q = Place::square(u, y, sum, own, other);
    const auto arc = geometry::detail::arc_of_square(q);
    memory_.weight[at] = other;
    memory_.square[at] = q;
    memory_.length[at] = arc.length;
    // equal points have no gradient
    const V zero(0.0);
    memory_.slope[at] =
        geometry::detail::blend(arc.half_sinh == zero, zero, V(V(1.0) / arc.half_sinh));
    const V length = where_there(others, r, arc.length, FloatTraits<double>::infinity);
    least = geometry::halfspace_detail::smaller(least, length);
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
  /// The gradients by all points, from the derivatives by the distances.
  MCT_ALWAYS_INLINE void spread(std::int64_t e, const Coordinates& u, const V& own, double miss,
                                double inverse) const {
    const int n = memory_.coordinates;
    const double scale = examples_.sharpness * examples_.shares[e];
    PartialSums by_square, by_length;
    // of the source: a(y) (u - y) now, q w(u) at the end
    PartialSums sums[most_in_registers];
    std::vector<PartialSums> more(std::size_t(n > most_in_registers ? n - most_in_registers : 0));
    const std::int64_t base = e * (1 + examples_.others);
    for (int r = 0; r < memory_.registers; ++r) {
      const auto at = std::size_t(r);
      V c = memory_.power[at] * V(-inverse * scale);
      if (r == 0) c = with_first(c, miss * scale);
      by_length.add(r, c * memory_.length[at]);
      const V g = c * memory_.slope[at];
      const V gq = g * memory_.square[at];
      by_square.add(r, gq);
      const V* d = memory_.difference.data() + at * std::size_t(n);
      const V toward = g * own;
      const V away = g * memory_.weight[at];
      for (int i = 0; i < n; ++i) {
        (i < most_in_registers ? sums[i] : more[std::size_t(i - most_in_registers)])
            .add(r, away * d[i]);
        const V y = leading(u, i) - d[i];
        const V out = gq * Place::along(y, i, n) - toward * d[i];
        put(i, base + 1 + r * place_lanes, examples_.others - r * place_lanes, out);
      }
    }
    const double bent = by_square.total();
    for (int i = 0; i < n; ++i) {
      const double straight =
          (i < most_in_registers ? sums[i] : more[std::size_t(i - most_in_registers)]).total();
      results_.gradients[i * results_.plane + base] =
          straight + bent * first_of(Place::along(leading(u, i), i, n));
    }
    results_.slopes[e] = by_length.total() / examples_.sharpness;
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

  static constexpr int most_in_registers = 4;
  const PointTable<const double>& points_;
  const Examples& examples_;
  const ExampleResults& results_;
  ExampleMemory& memory_;
};

template <class Place>
[[gnu::flatten]] void example_gradients(const PointTable<const double>& points,
                                        const Examples& examples, std::int64_t begin,
                                        std::int64_t end, const ExampleResults& results) {
  ExampleMemory memory(points.dimensions + Place::more, examples.others);
  const ExampleLoop<Place> loop(points, examples, results, memory);
  for (std::int64_t e = begin; e < end; ++e) {
    if (e + 1 < end) loop.fetch(e + 1);
    loop.run(e);
  }
}

/// The first numbers of a register, zeros behind them.
MCT_ALWAYS_INLINE inline PlaceLanes load_first(const double* from, int used) {
  if (used == place_lanes) return load_lanes<PlaceLanes>(from);
  double buffer[place_lanes] = {};
  for (int j = 0; j < used; ++j) buffer[j] = from[j];
  return load_lanes<PlaceLanes>(buffer);
}

/// What vectors of such squared lengths are multiplied by, so that none is longer than `longest`.
MCT_ALWAYS_INLINE inline PlaceLanes shortening_to(double longest, const PlaceLanes& square) {
  return geometry::detail::blend(square > PlaceLanes(longest * longest),
                                 PlaceLanes(PlaceLanes(longest) / geometry::detail::root(square)),
                                 PlaceLanes(1.0));
}

/// Moves the points of a register of rows, those that stay numbers.
template <class Place, class F>
MCT_ALWAYS_INLINE inline void advance(const LaneRows<double>& rows, int n, const F& vector,
                                      double longest, bool* good, int used) {
  using V = PlaceLanes;
  const auto x = Place::load(rows, n);
  V shorter(1.0);
  if (longest < FloatTraits<double>::infinity)
    shorter = shortening_to(longest, Place::squared_length(x, vector));
  const auto z = Place::moved(x, [&](int i) { return V(vector(i) * shorter); });
  V finite(0.0);
  for (int i = 0; i < n; ++i) {
    const V c = component_of(z[i], 0);
    finite = finite + (c - c);
  }
  store_mask(finite == V(0.0), good);
  Place::store(rows, z, good, used);
}

/// Moves rows by the exponential map.
template <class Place>
[[gnu::flatten]] std::int64_t example_step(const PointTable<double>& points, const Steps& steps) {
  using V = PlaceLanes;
  const int n = points.dimensions + Place::more;
  std::vector<V> vector(static_cast<std::size_t>(n));
  std::int64_t moved = 0;
  for (std::int64_t first = 0; first < steps.count; first += place_lanes) {
    for (std::int64_t i = first + 2 * place_lanes; i < steps.count && i < first + 3 * place_lanes;
         ++i)
      fetch_row(points, steps.rows[i]);
    const int used = int(steps.count - first < place_lanes ? steps.count - first : place_lanes);
    LaneRows<double> rows;
    for (int j = 0; j < place_lanes; ++j)
      rows.row[j] =
          points.data + std::int64_t(steps.rows[first + (j < used ? j : 0)]) * points.numbers;
    for (int i = 0; i < n; ++i)
      vector[std::size_t(i)] =
          load_first(steps.vectors + i * steps.plane + first, used) * V(steps.rate);
    bool good[place_lanes];
    const auto frame = [&](int i) -> const V& { return vector[std::size_t(i)]; };
    if constexpr (requires { Place::advance(rows, frame, steps.longest, good, used); }) {
      Place::advance(rows, frame, steps.longest, good, used);
    } else {
      advance<Place>(rows, n, frame, steps.longest, good, used);
    }
    for (int j = 0; j < used; ++j) moved += good[j];
  }
  return moved;
}

/// The kernels of one of these places, by the components of its points.
template <class... Places>
embed_detail::TrainKernels train_kernels_among(int components) {
  embed_detail::TrainKernels r;
  const auto offer = [&]<class Place>() {
    if (Place::stored_components == components)
      r = {&example_gradients<Place>, &example_step<Place>};
  };
  (offer.template operator()<Places>(), ...);
  return r;
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
