// The loop of training over rows: gradient descent and Radam.
#pragma once

#include "src/embed/kernels/lane_rows.hpp"
#include "src/embed/kernels/row_step.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// Up to a register of the rows of steps, from `first` on.
template <class V>
class StepLanes {
  using T = scalar_t<V>;

 public:
  MCT_ALWAYS_INLINE StepLanes(const PointTable<double>& points, const Steps<T>& steps, int tangents,
                              std::int64_t first, int count)
      : used(count), points_(points), steps_(steps), tangents_(tangents), first_(first) {}

  int used;
  MCT_ALWAYS_INLINE V vector(int i) const {
    return load_first<V>(steps_.vectors + i * steps_.plane + first_, used);
  }
  MCT_ALWAYS_INLINE LaneRows<V, double> points(int offset) const {
    return rows_in_lanes<V>(points_.data + offset, points_.numbers, steps_.rows + first_, used);
  }
  MCT_ALWAYS_INLINE LaneRows<V, double> moments() const {
    return rows_in_lanes<V>(steps_.moments.data, tangents_ + Moments::more, steps_.rows + first_,
                            used);
  }

 private:
  const PointTable<double>& points_;
  const Steps<T>& steps_;
  int tangents_;
  std::int64_t first_;
};

template <class Place, bool adaptive>
MCT_ALWAYS_INLINE inline std::int64_t step_loop(const PointTable<double>& points,
                                                const StepsOf<Place>& steps) {
  constexpr int width = int(lanes<typename Place::Lanes>);
  const int coordinates = points.dimensions + Place::more;
  StepBuffers<Place> buffers(coordinates);
  constexpr std::int64_t ahead = std::int64_t(2) * width;  // rows that are asked for
  std::int64_t moved = 0;
  for (std::int64_t first = 0; first < steps.count; first += width) {
    for (std::int64_t i = first + ahead; i < steps.count && i < first + ahead + width; ++i)
      fetch_row(points, steps.rows[i]);
    const int used = int(steps.count - first < width ? steps.count - first : width);
    const StepLanes<typename Place::Lanes> rows(points, steps, points.factors * coordinates, first,
                                                used);
    moved += follow_in_lanes<Place, adaptive>(points, steps, buffers, rows);
  }
  return moved;
}
/// Moves rows by the exponential map.
template <class Place>
std::int64_t example_step(const PointTable<double>& points, const StepsOf<Place>& steps) {
  return steps.moments.data != nullptr ? step_loop<Place, true>(points, steps)
                                       : step_loop<Place, false>(points, steps);
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
