// Distances of many points from one, in lanes, and how many of them are below thresholds.
#include "mctensor/geometry/storage/halfspace/height.hpp"
#include "src/embed/kernels/rank_table.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using embed_detail::RankPlanes;

/// The difference of horizontal coordinate c of the query and the points in one register.
template <class V, int M>
MCT_ALWAYS_INLINE inline V difference_at(const RankPlanes& points, const double* query, int c,
                                         std::int64_t i) {
  Expansion<V, M> x, y;
  for (int k = 0; k < M; ++k) {
    x.limb[k] = V(query[c * M + k]);
    y.limb[k] = load_lanes<V>(points.data + (c * M + k) * points.stride + i);
  }
  return geometry::halfspace_detail::difference_of(x, y);
}

/// Without fma, so that every instruction set gives the same bits.
template <int M>
void rank_value(int n, std::int64_t count, RankPlanes points, const double* query, double* out) {
  using V = widest_batch<double>;
  const std::int64_t height = std::int64_t(n - 1) * M;
  for (std::int64_t i = 0; i < count; i += std::int64_t(lanes<V>)) {
    const V drop = V(query[height]) - load_lanes<V>(points.data + height * points.stride + i);
    V sum = drop * drop;
    for (int c = 0; c + 1 < n; ++c) {
      const V d = difference_at<V, M>(points, query, c, i);
      sum = sum + d * d;
    }
    const V inverse = load_lanes<V>(points.data + (height + 1) * points.stride + i);
    store_lanes(V(sum * inverse), out + i);
  }
}

template <int M>
void add_square(int n, std::int64_t count, RankPlanes points, const double* query, double* out) {
  namespace detail = geometry::halfspace_detail;
  using V = widest_batch<double>;
  const std::int64_t height = std::int64_t(n - 1) * M;
  for (std::int64_t i = 0; i < count; i += std::int64_t(lanes<V>)) {
    const V across = detail::length_of<V>(
        n - 1, [&](int c) { return difference_at<V, M>(points, query, c, i); });
    const V h(query[height]);
    const V k = load_lanes<V>(points.data + height * points.stride + i);
    const V d = geometry::half_space_distance(detail::gap_of(across, h, k, V(h - k)));
    store_lanes(V(load_lanes<V>(out + i) + d * d), out + i);
  }
}

template <class V>
MCT_ALWAYS_INLINE inline std::int64_t sum_of_lanes(const V& x) {
  double buffer[lanes<V>];
  store_lanes(x, buffer);
  double sum = 0;
  for (const double lane : buffer) sum += lane;
  return std::int64_t(sum);
}

inline void count_values(std::int64_t count, const double* values, std::int64_t thresholds,
                         const double* threshold, std::int64_t* less, std::int64_t* equal) {
  using V = widest_batch<double>;
  const V zero(0.0);
  const V one(1.0);
  for (std::int64_t j = thresholds - 1; j >= 0; --j) {
    const V t(threshold[j]);
    V below = zero;
    V up_to = zero;
    for (std::int64_t i = 0; i < count; i += std::int64_t(lanes<V>)) {
      const V v = load_lanes<V>(values + i);
      below = below + geometry::halfspace_detail::blend(v < t, one, zero);
      up_to = up_to + geometry::halfspace_detail::blend(v <= t, one, zero);
    }
    const std::int64_t all = sum_of_lanes(up_to);
    if (all == 0) return;  // nor is any below a lower threshold
    const std::int64_t lower = sum_of_lanes(below);
    less[j] += lower;
    equal[j] += all - lower;
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct {

namespace embed_detail::MCT_KERNELS {

const RankTable& rank_table(std::int64_t components) {
  static constexpr RankTable tables[most_rank_components] = {
      {&kernels::rank_value<1>, &kernels::add_square<1>},
      {&kernels::rank_value<2>, &kernels::add_square<2>},
      {&kernels::rank_value<3>, &kernels::add_square<3>},
      {&kernels::rank_value<4>, &kernels::add_square<4>}};
  return tables[components - 1];
}

const CountTable& count_table() {
  static constexpr CountTable table = {&kernels::count_values};
  return table;
}

}  // namespace embed_detail::MCT_KERNELS
}  // namespace mct
